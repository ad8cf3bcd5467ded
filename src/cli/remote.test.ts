import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { UsageError } from '../contract/errors.ts'
import { type ServeOptions, serve } from '../hosts/node/serve.ts'
import { createMock, type MockOptions } from '../mock.ts'
import { createRemote } from './remote.ts'

async function start(options: MockOptions = {}, serving: ServeOptions = {}) {
  const mock = createMock(options)
  const server = await serve(mock, serving)
  onTestFinished(server.close)
  return { mock, url: server.url.replace('/v1', ''), close: server.close }
}

/** Something that is not a mock. */
async function startOther(status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a remote mock', () => {
  it('is read and written, exact at int64', async () => {
    const { url } = await start()
    const remote = createRemote({ url })
    const pets = [{ id: 9223372036854775806n, name: 'Rex', categoryId: -9223372036854775808n }]
    await remote.put('/state', { name: 'far out', pets })
    expect(await remote.get('/state')).toMatchObject({ name: 'far out', pets, nextId: 9223372036854775807n })
    expect(await remote.get('/requests', { limit: 3, operation: undefined })).toEqual([])
    expect(await remote.post('/reset')).toMatchObject({ scenario: 'far out', pets: 1 })
  })

  it('is asked about one sandbox', async () => {
    const { mock, url } = await start({ sandbox: true })
    await createRemote({ url, sandbox: 'worker-1' }).put('/scenario', { name: 'empty' })
    expect([mock.control.summary().pets, mock.control.sandbox('worker-1').summary().pets]).toEqual([50, 0])
  })

  it('is told the token', async () => {
    const { url } = await start({}, { controlToken: 's3cret' })
    await expect(createRemote({ url, token: 's3cret' }).get('/health')).resolves.toMatchObject({ status: 'ok' })
    const wanted = new UsageError('this mock asks for its token: give it with --token, or as ANIMAL_STORE_CONTROL_TOKEN')
    await expect(createRemote({ url }).get('/health')).rejects.toThrow(wanted)
    await expect(createRemote({ url, token: 'other' }).get('/health')).rejects.toThrow(wanted)
  })

  it('gives its events until it stops', async () => {
    const { mock, url, close } = await start()
    const events = await createRemote({ url }).events()
    mock.control.reset()
    mock.control.clock.freeze()
    await close()
    const seen: unknown[] = []
    for await (const event of events) seen.push(event)
    expect(seen).toEqual([
      { type: 'change', sandbox: null, what: 'reset' },
      { type: 'change', sandbox: null, what: 'clock' },
    ])
  })

  it('names every problem of what it is sent on a line of its own', async () => {
    const { url } = await start()
    const refused = createRemote({ url }).put('/state', { pets: [{ id: 1 }], frozen: 'no' })
    await expect(refused).rejects.toMatchObject({
      problems: ['pets[0].name is required', 'pets[0].categoryId is required', 'frozen: expected a boolean, got "no"'],
    })
  })

  it('may have its control API off', async () => {
    const { url } = await start({}, { control: false })
    await expect(createRemote({ url }).get('/health')).rejects.toThrow(
      new UsageError(`the control API of the mock at ${url} is off: start it without --no-control`),
    )
  })

  it.each([
    [200, '<html>', ''],
    [404, '<html>', ' (status 404)'],
    [500, '{"error":1}', ' (status 500)'],
  ])('may be something else, which answers %i %s', async (status, body, detail) => {
    const url = await startOther(status, body)
    await expect(createRemote({ url }).get('/health')).rejects.toThrow(
      new UsageError(`what answers at ${url} is not this mock${detail}: say where it is with --url`),
    )
  })

  it('may not be there', async () => {
    const { url, close } = await start()
    await close()
    await expect(createRemote({ url }).get('/health')).rejects.toThrow(
      new UsageError(`no mock answers at ${url}: start one with animal-store-mock, or say where it is with --url`),
    )
  })
})
