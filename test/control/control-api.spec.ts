// What the control API does over HTTP, beyond the conversations in test/transcripts.
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/control/client/connect.ts'
import type { RequestRow } from '../../src/world/row.ts'
import { animals } from '../support/animals.ts'
import { startControl } from '../support/control-client.ts'

describe('the request log', () => {
  it('does not include calls of the control API', async () => {
    const { ask, write, poke, mock } = await startControl({ pets: animals })
    await ask('/state')
    await ask('/nowhere')
    await ask({ path: '/state', headers: { origin: 'https://example.com' } })
    await ask({ path: '/state', headers: { host: 'example.com' } })
    await ask({ path: '/state', headers: { expect: 'magic' } })
    await write('PUT', '/state', ' '.repeat(6 * 2 ** 20))
    await poke('PATCH', '/state')
    await write('PUT', '/clock', {})
    expect(mock.control.requests()).toEqual([])
  })

  it('has a hundred rows over HTTP unless the caller asks for more, and the number of all; connect asks for all', async () => {
    const { ask, mock, port } = await startControl({ pets: animals })
    for (let sent = 0; sent < 120; sent++) await mock.fetch('/v1/pets')
    for (const path of ['/requests', '/timeline', '/requests?sandbox=*']) {
      const { json, headers } = await ask(path)
      expect([
        (json as { id: number }[]).map(({ id }) => id).at(0),
        headers['x-mock-total'],
      ]).toEqual([21, '120'])
    }
    const { json, headers } = await ask('/requests?limit=110&method=POST')
    expect([json, headers['x-mock-total']]).toEqual([[], '0'])
    const control = connect(`http://127.0.0.1:${port}`)
    expect(
      [
        await control.requests(),
        await control.timeline(),
        await control.requests({ limit: 2 }),
      ].map(({ length }) => length),
    ).toEqual([120, 120, 2])
    const { result, total } = await control.call('requests')
    expect([(result as RequestRow[]).map(({ query }) => query), total]).toEqual([
      Array(120).fill({}),
      120,
    ])
  })
})

describe('the contract in the control API', () => {
  it('is served with the address of the mock as its server', async () => {
    const { ask, port } = await startControl()
    const { openapi } = await import('../../src/contract/generated/openapi.ts')
    const served = {
      ...openapi,
      servers: [{ url: `http://127.0.0.1:${port}/v1`, description: 'This mock' }],
    }
    expect((await ask('/openapi.json')).json).toEqual(served)
    const { json: elsewhere } = await ask({
      path: '/openapi.json',
      headers: { host: `animals.localhost:${port}` },
    })
    expect(elsewhere).toMatchObject({ servers: [{ url: `http://animals.localhost:${port}/v1` }] })
  })
})
