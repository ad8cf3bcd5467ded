import { expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { onEveryHost } from '../support/hosts.ts'

const COMMON = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', vary: 'Origin' }
const FORBIDDEN = [
  ...[
    'server',
    'x-powered-by',
    'etag',
    'last-modified',
    'location',
    'link',
    'content-encoding',
    'deprecation',
    'x-total-count',
  ],
]

onEveryHost((start) => {
  it('gives every answer the same fields and none that the interface does not promise', async () => {
    const api = await start({ pets: animals, now: '2026-11-15T10:00:00Z', frozen: true })
    const answers = [
      await api.ask('/v1/pets'),
      await api.ask('/v1/pets/1'),
      await api.create({ name: 'Zoë 🦊', categoryId: 1 }),
      await api.create({ name: '🦊'.repeat(9_000), categoryId: 1 }),
      await api.create('{'),
      await api.ask({ key: null }),
      await api.ask('/v1/nothing'),
      await api.ask({ method: 'DELETE' }),
    ]
    for (const { headers, text } of answers) {
      expect(headers).toMatchObject({
        ...COMMON,
        'content-type': 'application/json',
        date: 'Sun, 15 Nov 2026 10:00:00 GMT',
      })
      expect(headers['content-length']).toBe(String(new TextEncoder().encode(text).length))
      for (const name of FORBIDDEN) expect(headers).not.toHaveProperty(name)
    }
  })

  it('ignores Accept and conditions', async () => {
    const api = await start({ pets: animals })
    const headers = {
      accept: 'text/html;q=1, */*;q=0',
      'if-none-match': '*',
      'if-modified-since': 'Thu, 01 Jan 2099 00:00:00 GMT',
      range: 'bytes=0-1',
    }
    expect(await api.ask({ headers })).toMatchObject({
      status: 200,
      json: animals,
      headers: { 'content-type': 'application/json' },
    })
  })
})
