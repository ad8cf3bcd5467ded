import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deploy, TOKEN } from '../../../test/support/worker-deployment.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const signed = { headers: { authorization: `Bearer ${TOKEN}` } }

describe('the control API of a worker', () => {
  it('counts all sandboxes in the shared state, and one counts itself', async () => {
    const { ask, control } = deploy()
    expect(await control('GET', '/health')).toMatchObject({ sandboxes: 0 })
    for (const key of ['ann', 'ben']) await ask(key, 'GET', '/v1/pets')
    expect(await control('GET', '/health')).toMatchObject({ sandboxes: 2 })
    expect(await control('GET', '/health?sandbox=ann')).toMatchObject({ sandboxes: 1 })
  })

  it('is off without a token, and says how to turn it on', async () => {
    const { fetch } = deploy({ CONTROL_TOKEN: undefined })
    const response = await fetch('/__mock/health')
    const message = 'The control API is off; bind CONTROL_TOKEN, a secret of at least 16 characters, to turn it on'
    expect([response.status, await response.json()]).toEqual([404, { code: 'NotFound', message, status: 404 }])
  })

  it('refuses a call without the token before it reads the body', async () => {
    const { fetch } = deploy()
    const body = new ReadableStream({ pull: () => new Promise(() => {}) })
    const response = await fetch('/__mock/state', { method: 'PUT', body, duplex: 'half' } as RequestInit)
    const message = 'The control API requires its token, which is bound as CONTROL_TOKEN: send Authorization: Bearer <token>'
    expect([response.status, await response.json()]).toEqual([401, { code: 'Unauthorized', message, status: 401 }])
  })

  it('reads a scenario that is sent as text', async () => {
    const { control } = deploy()
    await control('PUT', '/scenario?sandbox=ann', { file: 'a.yaml', text: 'name: mine\npets: []' })
    expect(await control('GET', '/health?sandbox=ann')).toMatchObject({ scenario: 'mine', pets: 0 })
  })

  it('accepts a write from its own pages, over http and https', async () => {
    const { fetch } = deploy()
    const statuses = []
    for (const origin of ['http://mock', 'https://mock', 'https://other.test']) {
      const headers = { ...signed.headers, host: 'mock', origin, 'x-mock-control': '1' }
      statuses.push((await fetch('/__mock/reset', { method: 'POST', headers })).status)
    }
    expect(statuses).toEqual([200, 200, 403])
  })
})

describe('the sandboxes of a worker', () => {
  it('are removed before the response, or not found', async () => {
    const { ask, control, tables } = deploy()
    expect(await ask(TOKEN, 'DELETE', '/__mock/sandboxes/ann')).toMatchObject({ status: 404, value: { message: 'Sandbox ann not found' } })
    await ask('ann', 'GET', '/v1/pets')
    expect(await ask(TOKEN, 'DELETE', '/__mock/sandboxes/ann')).toMatchObject({ status: 204 })
    expect([tables('ann'), await control('GET', '/sandboxes')]).toEqual([[], []])
  })
})

describe('the events of a worker', () => {
  /** What has come of a stream so far, and whether it has ended. */
  function follow(response: Response) {
    const seen = { text: '', isOver: false }
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const decoder = new TextDecoder()
    const read = async (): Promise<void> => {
      const { done, value } = await reader.read()
      seen.text += decoder.decode(value, { stream: true })
      seen.isOver = done
      if (!done) await read()
    }
    void read()
    return { seen, until: (part: string) => vi.waitFor(() => expect(seen.text).toContain(part)) }
  }

  it('are those of one sandbox until it is removed', async () => {
    const { ask, control, create, fetch } = deploy()
    await ask('ann', 'GET', '/v1/pets')
    const { seen, until } = follow(await fetch('/__mock/events?sandbox=ann', signed))
    await create('ann')
    await create('ben')
    await until('"status":201')
    await control('DELETE', '/sandboxes/ann')
    await vi.waitFor(() => expect(seen.isOver).toBe(true))
    expect(seen.text).not.toContain('"sandbox":"ben"')
  })

  it('without a sandbox, are those of the shared state and of sandboxes that come and go', async () => {
    const { control, create, fetch } = deploy()
    const { seen, until } = follow(await fetch('/__mock/events', signed))
    await until(': listening')
    await create('ben')
    await until('{"type":"sandbox","sandbox":"ben"}')
    await control('DELETE', '/sandboxes/ben')
    await vi.waitFor(() => expect(seen.text.split('"sandbox":"ben"')).toHaveLength(3))
  })
})
