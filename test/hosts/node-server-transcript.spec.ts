// What comes back for bytes on a connection, byte by byte, and what the journal says of it. To add some, write them into
// a file of test/hosts/bytes-transcripts, a connection after the other, with an empty line between them; then
// `npx vitest run --project spec test/hosts/node-server-transcript.spec.ts -u`, and read the difference.
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock, type Mock } from '../../src/mock/mock.ts'
import { fromVisible, toVisible } from '../support/play.ts'

const folder = new URL('bytes-transcripts/', import.meta.url)

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

async function replay(mock: Mock, port: number, lines: readonly string[]): Promise<string> {
  const bytes = lines.map((line) => fromVisible(line.slice(2))).join('\r\n')
  const before = mock.control.requests().at(-1)?.id ?? 0
  const received = await exchange(port, bytes)
  const entries = mock.control.requests().filter(({ id }) => id > before)
  return [
    ...lines,
    ...(received === '' ? ['< (closed)'] : received.split('\r\n').map((line) => `< ${toVisible(line)}`.trimEnd())),
    ...entries.map(({ method, target, status, outcome, error, notes }) =>
      toVisible(`~ ${JSON.stringify([method, target, status, outcome, error, ...notes])}`),
    ),
  ].join('\n')
}

it.each(readdirSync(folder))('%s is what comes back', async (name) => {
  const mock = createMock({ pets: [{ id: 1, name: 'Rex', categoryId: 1 }], now: '2026-11-15T08:00:00Z', frozen: true })
  const { url, close } = await serve(mock, { allowedHosts: ['mock.example'] })
  onTestFinished(close)
  const connections = readFileSync(new URL(name, folder), 'utf8')
    .split('\n\n')
    .map((part) => part.split('\n').filter((line) => line.startsWith('>')))
  const played: string[] = []
  for (const lines of connections) played.push(await replay(mock, Number(new URL(url).port), lines))
  await expect(`${played.join('\n\n')}\n`).toMatchFileSnapshot(`bytes-transcripts/${name}`)
})
