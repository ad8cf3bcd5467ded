// What the control API does over HTTP, beyond the conversations in test/transcripts.
import { describe, expect, it } from 'vitest'
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
})

describe('the contract in the control API', () => {
  it('is served with the address of the mock as its server', async () => {
    const { ask, port } = await startControl()
    const { openapi } = await import('../../src/generated/openapi.ts')
    const served = { ...openapi, servers: [{ url: `http://127.0.0.1:${port}/v1`, description: 'This mock' }] }
    expect((await ask('/openapi.json')).json).toEqual(served)
    const { json: elsewhere } = await ask({ path: '/openapi.json', headers: { host: `animals.localhost:${port}` } })
    expect(elsewhere).toMatchObject({ servers: [{ url: `http://animals.localhost:${port}/v1` }] })
  })
})
