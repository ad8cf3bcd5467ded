import { expect, it, onTestFinished, vi } from 'vitest'
import { serve } from '../../hosts/node/serve.ts'
import { createMock, type MockOptions } from '../../mock/mock.ts'
import { requestsCommand } from './requests.ts'

/** Follows a mock that was asked for one list before; what the others print, once it has stopped. */
async function follow(flags: object, options: MockOptions, use: (ask: (method: string, target: string, key?: string) => void) => void) {
  const mock = createMock({ pets: [], now: '2026-11-15T08:00:00Z', frozen: true, ...options })
  const { url, close } = await serve(mock)
  let printed = ''
  let writes = 0
  const capture = (mark: string) => (text: unknown, done?: unknown) => {
    printed += mark + String(text)
    writes++
    if (typeof done === 'function') done()
    return true
  }
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(capture('')),
    vi.spyOn(process.stderr, 'write').mockImplementation(capture('! ')),
  ]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
  const ask = (method: string, target: string, key = 'some-key-1234') =>
    void mock.answer({ method, target, header: (name) => (name === 'authorization' ? `Bearer ${key}` : undefined), body: undefined })
  ask('GET', '/v1/pets')
  const running = requestsCommand.run({ follow: true, url: new URL(url).origin, ...flags } as never, [])
  // The stream is open once the request log has been printed.
  while (writes === 0) await new Promise(setImmediate)
  use(ask)
  mock.control.latency.set(20)
  await Promise.resolve()
  await close()
  await running
  return printed
    .split('\n')
    .map((line) => line.replace(/ \d+(\.\d)? ms/, ''))
    .filter((line) => line !== '')
}

it('prints what was asked and what is asked from then on, until the mock stops', async () => {
  const lines = await follow({}, {}, (ask) => {
    ask('GET', '/v1/pets/1')
    ask('PUT', '/v1/pets')
  })
  expect(lines).toEqual([
    '08:00:00.000Z #1 GET  /v1/pets                 200 listPets …1234',
    '08:00:00.000Z #2 GET  /v1/pets/1               404 getPet …1234 Animal 1 not found · assumes sunset-header',
    '08:00:00.000Z #3 PUT  /v1/pets                 405 - …1234 PUT is not allowed on /v1/pets; allowed: GET, HEAD, POST, OPTIONS',
    '08:00:00.000Z #4 ◆ latency: none → 20ms',
    '! animal-store-mock: The mock has stopped',
  ])
})

it.each([
  [{ operation: 'getPet' }, ['GET /v1/pets/1']],
  [{ status: 404 }, ['GET /v1/pets/1', 'GET /v1/nothing']],
  [{ method: 'PUT' }, ['PUT /v1/pets']],
  [{ status: 404, operation: 'getPet' }, ['GET /v1/pets/1']],
  [{ status: 200 }, ['GET /v1/pets', 'GET /v1/pets']],
])('prints with %j only those', async (flags, expected) => {
  const lines = await follow(flags, {}, (ask) => {
    ask('GET', '/v1/pets/1')
    ask('PUT', '/v1/pets')
    ask('GET', '/v1/nothing')
    ask('GET', '/v1/pets')
  })
  const printed = lines.filter((line) => !line.startsWith('! '))
  expect(printed.map((line) => line.split(/ +/).slice(2, 4).join(' '))).toEqual(expected)
})

it('prints whole entries as JSON, each with its sandbox where all are followed', async () => {
  const lines = await follow({ json: true, all: true }, { sandbox: true }, (ask) => ask('GET', '/v1/pets/1', 'other-key'))
  const entries = lines.slice(0, -1).map((line) => JSON.parse(line))
  expect(entries.map(({ target, sandbox, status }) => [target, sandbox, status])).toEqual([
    ['/v1/pets', 'some-key-1234', 200],
    ['/v1/pets/1', 'other-key', 404],
  ])
})
