// What comes back for bytes on a connection, and what the request log says of it. To add some,
// write them into a file of test/hosts/bytes-transcripts, a line for each connection (`⏎` is CRLF);
// `npm run accept` adds the responses, without the fields that are usual. Read the difference.
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock, type Mock } from '../../src/mock/mock.ts'
import {
  describeResponse,
  type Exchange,
  fromVisible,
  toVisible,
  USUAL_OF_SERVICE,
  write,
} from '../support/play.ts'

const folder = new URL('bytes-transcripts/', import.meta.url)

const USUAL = { ...USUAL_OF_SERVICE, Connection: 'keep-alive', 'Keep-Alive': 'timeout=5' }

/** Sends all of it, closes its side, and waits until the server has closed the other one. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.setEncoding('latin1').on('data', (text) => {
      received += text
    })
    socket.on('close', () => resolve(received)).on('error', reject)
    socket.on('end', () => socket.destroy())
    socket.end(Buffer.from(bytes, 'latin1'))
  })
}

async function replay(mock: Mock, port: number, line: string): Promise<string[]> {
  const before = mock.control.requests().at(-1)?.id ?? 0
  const received = await exchange(port, fromVisible(line.slice(2).replaceAll('⏎', '\r\n')))
  const rows = mock.control.requests().filter(({ id }) => id > before)
  return [
    ...(received === ''
      ? ['< (closed)']
      : received.split(/(?=HTTP\/1\.1 \d{3} )/).map(describeBytes)),
    ...rows.map(({ method, target, status, outcome, error, notes }) =>
      toVisible(`~ ${JSON.stringify([method, target, status, outcome, error, ...notes])}`),
    ),
  ]
}

/** A response without the fields that are usual; what does not look like one is shown as it is. */
function describeBytes(text: string): string {
  const [, status, lines = '', body = ''] =
    /^HTTP\/1\.1 (\d{3} [^\r]+)((?:\r\n[^\r\n]+)*)\r\n\r\n(.*)$/s.exec(text) ?? []
  if (status === undefined) return `< ${toVisible(text)}`
  const headers = Object.fromEntries(
    lines
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(/: (.*)/s)),
  )
  return status.startsWith('100')
    ? `< ${status}`
    : describeResponse({ status, headers, body }, USUAL)
}

it.each(readdirSync(folder))(
  'the server sends the bytes that bytes-transcripts/%s shows',
  async (name) => {
    const mock = createMock({
      pets: [{ id: 1, name: 'Rex', categoryId: 1 }],
      now: '2026-11-15T08:00:00Z',
      frozen: true,
    })
    const { url, close } = await serve(mock, { allowedHosts: ['mock.example'] })
    onTestFinished(close)
    const connections = readFileSync(new URL(name, folder), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('>'))
    const exchanges: Exchange[] = []
    for (const request of connections)
      exchanges.push({ request, outcome: await replay(mock, Number(new URL(url).port), request) })
    await expect(`${write(exchanges).join('\n')}\n`).toMatchFileSnapshot(
      `bytes-transcripts/${name}`,
    )
  },
)
