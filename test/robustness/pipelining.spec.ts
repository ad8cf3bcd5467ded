// Clients that send requests without reading, and far more than a connection may have: they cost
// no more than what the limit lets through.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { createOwnTime } from '../../bench/own-time.ts'
import { startCli } from '../support/cli-process.ts'

const CONNECTIONS = 60
const FLOOD_BYTES = 2 ** 21
const MAX_RESIDENT_MIB = 95
const MAX_MS = 1_000

const readPeakBytes = (pid: number | undefined) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

async function flood(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  // The server cuts the connection while the client is still writing.
  socket.on('error', () => {})
  const request = 'GET /x HTTP/1.1\r\n\r\n'
  socket.write(request.repeat(FLOOD_BYTES / request.length))
  socket.resume()
  await new Promise((resolve) => socket.on('close', resolve))
}

it.runIf(process.platform === 'linux')(
  'pipelined requests beyond the limit take neither memory nor time, from any number of connections',
  async () => {
    const { child, url } = await startCli(['--port', '0', '--log', 'silent'])
    const { pid = 0 } = child
    const port = Number(new URL(url).port)
    const ownTime = createOwnTime(pid)
    const before = ownTime()
    await Promise.all(Array.from({ length: CONNECTIONS }, () => flood(port)))
    expect((await fetch(`${url}/pets/1`)).status).toBe(401)
    const spent = ownTime() - before
    const peakMib = readPeakBytes(pid) / 2 ** 20
    console.log(`pipelining: ${CONNECTIONS} floods, ${spent} ms, at most ${peakMib.toFixed(0)} MiB`)
    expect(peakMib).toBeLessThan(MAX_RESIDENT_MIB)
    expect(spent).toBeLessThan(MAX_MS)
  },
)
