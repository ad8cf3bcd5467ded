import { expect, it, vi } from 'vitest'
import { readBindings } from './bindings.ts'
import type { ObjectState, SandboxObject } from './platform.ts'
import { createSandboxObject } from './sandbox-object.ts'

interface Given {
  readonly bindings?: Record<string, unknown>
  readonly shared?: Partial<SandboxObject>
  /** Throws where the storage does. */
  readonly onQuery?: (query: string) => void
}

/** An object whose storage is empty, and the reasons for which it ended. */
function create({ bindings = {}, shared: more = {}, onQuery = () => {} }: Given = {}) {
  const aborts: string[] = []
  const state: ObjectState = {
    storage: {
      sql: {
        exec(query) {
          onQuery(query)
          return []
        },
      },
      deleteAll: async () => {},
    },
    blockConcurrencyWhile: (run) => run(),
    abort(reason) {
      // As the platform's methods do.
      if (this !== state) throw new TypeError('Illegal invocation')
      aborts.push(reason)
    },
  }
  const shared = { base: async () => settings.base, enlist: async () => {}, ...more } as unknown as SandboxObject
  const settings = readBindings({ ...bindings, SANDBOXES: { idFromName: () => undefined, get: () => shared } })
  const object = createSandboxObject(state, settings)
  const ask = (path: string, init: RequestInit = {}, headers: Record<string, string> = {}) =>
    object.fetch(
      new Request(`http://mock${path}`, {
        ...init,
        headers: { authorization: 'Bearer a-key', 'content-type': 'application/json', ...headers },
      }),
    )
  return { aborts, ask, add: () => ask('/v1/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}' }) }
}

it('answers 500 and logs a bug', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const error = new Error('no base')
  const { add } = create({ shared: { base: () => Promise.reject(error) } })
  const response = await add()
  expect([response.status, response.headers.get('content-type'), response.headers.get('x-mock-bug')]).toEqual([
    500,
    'application/json',
    '1',
  ])
  expect(await response.json()).toEqual({ code: 'InternalServerError', message: 'Bug in the mock; see its log', status: 500 })
  expect(log.mock.calls).toEqual([[error]])
  log.mockRestore()
})

it('ends if its storage fails, and says why', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const { aborts, add } = create({
    onQuery(query) {
      if (query.startsWith('CREATE')) throw new Error('disk full')
    },
  })
  expect((await add()).status).toBe(500)
  expect(new Set(aborts)).toEqual(new Set(['The storage failed: disk full']))
  log.mockRestore()
})

it.each([
  [{}, false],
  [{ CONTROL_TOKEN: 'a-token-of-some-length' }, true],
])('with %j shows at its front door whether the control API is on: %s', async (bindings, isOn) => {
  const { ask } = create({ bindings: { ...bindings, NOW: '2030-12-06', FROZEN: '1' } })
  const response = await ask('/')
  const text = await response.text()
  expect([response.status, response.headers.get('date')]).toEqual([200, 'Fri, 06 Dec 2030 00:00:00 GMT'])
  expect(text).toContain('http://mock/v1')
  expect(text.includes('/__mock')).toBe(isOn)
})

it.each([
  ['announced', { 'content-length': '100' }],
  ['in pieces', {}],
])('refuses a body, %s, that breaks off, and does not report a bug', async (_, headers) => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const { ask } = create({ bindings: { CONTROL_TOKEN: 'a-token-of-some-length' } })
  for (const path of ['/v1/pets', '/__mock/reset']) {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{'))
        controller.error(new Error('Network connection lost.'))
      },
    })
    const authorization = path === '/v1/pets' ? {} : { authorization: 'Bearer a-token-of-some-length', 'x-mock-control': '1' }
    const response = await ask(path, { method: 'POST', body, duplex: 'half' } as RequestInit, { ...headers, ...authorization })
    expect([response.status, await response.json()]).toEqual([
      400,
      { code: 'BadRequest', message: 'The body broke off before its end', status: 400 },
    ])
  }
  expect(log).not.toHaveBeenCalled()
  log.mockRestore()
})
