import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { UsageError } from '../contract/errors.ts'
import { type ServeOptions, serve } from '../hosts/node/serve.ts'
import { createMock, type MockOptions } from '../mock/mock.ts'
import { flagTables, type RemoteFlags } from './flags.ts'
import { withMock } from './with-mock.ts'

const TOKEN = 'a-token-of-some-length'

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

const getHealth = (flags: RemoteFlags) => withMock(flags, (mock) => mock.summary())

describe('withMock', () => {
  it('addresses one sandbox', async () => {
    const { mock, url } = await start({ sandbox: true })
    await withMock({ url, sandbox: 'worker-1' }, (client) => client.load('empty'))
    expect([mock.control.summary().pets, mock.control.sandbox('worker-1').summary().pets]).toEqual([18, 0])
  })

  it('finds a mock that listens on ::1 alone by its port', async () => {
    const { url } = await start({}, { host: '::1' })
    await expect(getHealth({ url: flagTables.remote.port.parse(new URL(url).port) })).resolves.toMatchObject({ scenario: 'default' })
  })

  it('sends the token, and says if it is missing or wrong', async () => {
    const { url } = await start({}, { controlToken: TOKEN })
    await expect(getHealth({ url, controlToken: TOKEN })).resolves.toMatchObject({ scenario: 'default' })
    const required = new UsageError('This mock requires its control token: pass it with --control-token or ANIMAL_STORE_CONTROL_TOKEN')
    await expect(getHealth({ url })).rejects.toThrow(required)
    const wrong = new UsageError('Wrong control token: check --control-token or ANIMAL_STORE_CONTROL_TOKEN')
    await expect(getHealth({ url, controlToken: 'another-token-than-that' })).rejects.toThrow(wrong)
  })

  it('names every problem on a separate line', async () => {
    const { url } = await start()
    const refused = withMock({ url }, (client) => client.load({ pets: [{ id: 1 }], frozen: 'no' } as never))
    const error = await refused.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UsageError)
    expect((error as UsageError).problems).toMatchObject([
      { kind: 'missing', path: 'pets[0].name' },
      { kind: 'missing', path: 'pets[0].categoryId' },
      { kind: 'mismatch', path: 'frozen', got: '"no"' },
    ])
  })

  it('says that the control API is off', async () => {
    const { url } = await start({}, { control: false })
    await expect(getHealth({ url })).rejects.toThrow(new UsageError('The control API is off; the mock was started with --no-control'))
  })

  it.each([
    [200, '<html>'],
    [404, '<html>'],
    [500, '{"error":1}'],
    [401, '{"code":"Unauthorized","message":"no","status":401}'],
  ])('says that a server which responds %i %s is something else', async (status, body) => {
    const url = await startOther(status, body)
    await expect(getHealth({ url })).rejects.toThrow(
      new UsageError(
        `The server at ${url} is not animal-store-mock (status ${status}): start one with animal-store-mock, or name another with --port or --url`,
      ),
    )
  })

  it('says that no mock responds', async () => {
    const { url, close } = await start()
    await close()
    await expect(getHealth({ url })).rejects.toThrow(
      new UsageError(`No mock responds at ${url}: start one with animal-store-mock, or name another with --port or --url`),
    )
  })

  it.each([
    ['never responds', ''],
    ['stalls in the head', 'HTTP/1.1 200 OK\r\nX-Mock: animal-store-mock/1.0.0\r\n'],
    ['stalls in the body', 'HTTP/1.1 200 OK\r\nX-Mock: animal-store-mock/1.0.0\r\nContent-Length: 99\r\n\r\n{"pets":'],
  ])('does not wait for ever for a server that %s', async (_title, sent) => {
    const sockets = new Set<Socket>()
    const server = createTcpServer((socket) => sockets.add(socket.on('error', () => {})) && socket.write(sent)).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await expect(withMock({ url }, (mock) => mock.summary(), 300)).rejects.toThrow(`No mock responds at ${url}`)
  })

  it('leaves other errors alone', async () => {
    const bug = new TypeError('a bug')
    await expect(withMock({ url: 'http://127.0.0.1:1' }, () => Promise.reject(bug))).rejects.toBe(bug)
  })
})
