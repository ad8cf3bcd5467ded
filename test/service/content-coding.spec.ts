import { expect, it } from 'vitest'
import { MAX_BODY_BYTES } from '../../src/contract/limits.ts'
import { onEveryHost } from '../support/hosts.ts'

async function compress(text: string, coding: 'gzip' | 'deflate'): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream(coding))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

const plain = JSON.stringify({ name: 'Zoë 🦊', categoryId: 1 })
const zeros = '0'.repeat(MAX_BODY_BYTES + 1)

// `answer` gets bodies that its host has decompressed.
onEveryHost(
  (start) => {
    it.each([
      ['gzip', 'gzip'],
      ['x-gzip', 'gzip'],
      ['GZIP', 'gzip'],
      ['deflate', 'deflate'],
    ] as const)('reads a body with Content-Encoding %s', async (encoding, coding) => {
      const api = await start({ pets: [] })
      const body = await compress(plain, coding)
      const headers = { 'content-encoding': encoding }
      const { status, json } = await api.create({}, { body, headers })
      expect([status, json]).toEqual([201, { id: 1, name: 'Zoë 🦊', categoryId: 1 }])
      expect(api.mock.control.requests()).toMatchObject([{ request: { body: plain } }])
    })

    it.each(['identity', 'Identity'])('reads a body with Content-Encoding %s', async (encoding) => {
      const api = await start({ pets: [] })
      const headers = { 'content-encoding': encoding }
      expect((await api.create(plain, { headers })).status).toBe(201)
    })

    it('refuses a body that is too large once it is decompressed', async () => {
      const api = await start({ pets: [] })
      const body = await compress(zeros, 'gzip')
      const headers = { 'content-encoding': 'gzip' }
      expect((await api.create({}, { body, headers })).status).toBe(413)
    })

    it('refuses a body that is not what its Content-Encoding says', async () => {
      const api = await start({ pets: [] })
      const whole = await compress(plain, 'gzip')
      for (const body of [whole.subarray(0, -9), plain]) {
        const { json } = await api.create({}, { body, headers: { 'content-encoding': 'gzip' } })
        expect(json).toEqual({
          code: 'BadRequest',
          message: 'The body is not valid gzip data',
          status: 400,
        })
      }
    })

    it.each(['br', 'gzip, gzip', 'none'])('refuses Content-Encoding %s', async (encoding) => {
      const api = await start({ pets: [] })
      const { status, headers } = await api.create(plain, {
        headers: { 'content-encoding': encoding },
      })
      expect([status, headers['accept-encoding']]).toEqual([415, 'gzip, deflate'])
    })
  },
  ['fetch', 'node', 'http2', 'msw', 'worker'],
)
