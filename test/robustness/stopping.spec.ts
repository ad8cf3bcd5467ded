// How the process ends, in every state that a signal can find it in: what runs is answered, and it
// is gone in time, with 0.
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { type Running, runCli, startCli } from '../support/cli-process.ts'
import { listen } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
const HEAD = 'Host: localhost\r\nAuthorization: Bearer k\r\n'
const POST = `POST /v1/pets HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`
const BODY = '{"name":"Late","categoryId":1}'

interface Line {
  readonly socket: Socket
  text(): string
  readonly closed: Promise<string>
}

interface Started extends Running {
  readonly port: number
  open(bytes: string): Promise<Line>
  /** Sends the signal, and fails if the process does not end well. */
  end(signal: NodeJS.Signals): Promise<void>
}

async function start(): Promise<Started> {
  const running = await startCli(['--log', 'silent'])
  const banner = running.stderr()
  const port = Number(new URL(running.url).port)
  return {
    ...running,
    port,
    open: (bytes) =>
      new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1')
        onTestFinished(() => void socket.destroy())
        let text = ''
        const closed = new Promise<string>((done) => socket.on('close', () => done(text)))
        socket.on('data', (chunk) => {
          text += chunk
        })
        socket.on('error', reject)
        socket.on('connect', () =>
          socket.write(bytes, () => resolve({ socket, text: () => text, closed })),
        )
      }),
    async end(signal) {
      const { code, stdout, stderr } = await running.stop(signal)
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: banner })
      await expect(createRawClient(port).ask({})).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    },
  }
}

/** For what cannot be seen from outside: that bytes which were sent have arrived. */
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

it.each(SIGNALS)(
  'the mock answers on %s a request whose body is still arriving',
  async (signal) => {
    const mock = await start()
    const line = await mock.open(`${POST}Content-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, 9)}`)
    await pause(100)
    const ended = mock.end(signal)
    await pause(300)
    line.socket.write(BODY.slice(9))
    const text = await line.closed
    expect(text).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
    expect(text).toMatch(/\r\nConnection: close\r\n/)
    expect(text).toMatch(/\r\n\r\n\{"id":19,"name":"Late","categoryId":1\}$/)
    await ended
  },
)

it('the mock answers every request that has arrived when it is stopped under load', async () => {
  const mock = await start()
  const clients = Array.from({ length: 50 }, () => createRawClient(mock.port))
  let isOver = false
  let answered = 0
  const broken: string[] = []
  const storm = Promise.all(
    clients.map(async (client) => {
      while (!isOver) {
        try {
          const { status } = await client.ask({
            target: '/v1/pets?limit=100',
            fields: [['Authorization', 'Bearer k']],
          })
          if (status !== 200) broken.push(String(status))
          answered++
        } catch (error) {
          // Before the first byte it may close: that request has not come in. An answer cut in two
          // would be another matter.
          if ('text' in (error as object) && (error as { text: string }).text !== '')
            broken.push((error as Error).message)
          return
        }
      }
    }),
  )
  while (answered < 500) await pause(5)
  await mock.end('SIGTERM')
  isOver = true
  await storm
  expect(broken).toEqual([])
})

it('the mock stops at once on a second signal', async () => {
  const mock = await start()
  const { text } = await mock.open(`${POST}Expect: 100-continue\r\nContent-Length: 99\r\n\r\n`)
  while (!text().includes('100 Continue')) await pause(5)
  mock.child.kill('SIGTERM')
  // A second one that comes before the first is handled would be the same one for the system.
  while (
    (await createRawClient(mock.port)
      .ask({})
      .catch(() => undefined)) !== undefined
  );
  expect((await mock.stop('SIGTERM')).code).toBe(143)
})

it('a command ends with one line if the mock falls silent within a response', async () => {
  const url = await listen(
    (_request, response) =>
      void response.writeHead(200, { 'x-mock': 'animal-store-mock/9.9.9' }).write('{'),
  )
  const { code, stderr } = await runCli(['status', '--url', url])
  expect(code).toBe(2)
  expect(stderr).toMatch(/^animal-store-mock: No mock responds at [^\n]+\n$/)
})
