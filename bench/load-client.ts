// The load generator, in a process of its own: keep-alive connections without pipelining, each of which sends the next
// request once the last is answered. It works on bare sockets, since an HTTP client would cost more than the servers do.
import { connect, type Socket } from 'node:net'

export interface LoadJob {
  readonly port: number
  /** The bytes of the one request that is sent over and over. */
  readonly wire: string
  readonly connections: number
  readonly milliseconds: number
}

export interface LoadResult {
  readonly answered: number
  /** Answers outside 2xx, and connections that broke. */
  readonly failed: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** The share of a core that this process took; near 1, the load generator itself is the limit. */
  readonly ownCpu: number
}

const MOST_LATENCIES = 2_000_000

process.on('message', (job: LoadJob) => {
  runLoad(job).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit(0))

async function runLoad({ port, wire, connections, milliseconds }: LoadJob): Promise<LoadResult> {
  const latencies = new Float64Array(MOST_LATENCIES)
  let answered = 0
  let failed = 0
  let running = true
  const sockets = new Set<Socket>()

  const open = () =>
    new Promise<() => void>((resolve) => {
      let sentAt = 0
      let held: Buffer | undefined
      const send = () => {
        sentAt = performance.now()
        socket.write(wire, 'latin1')
      }
      const take = (bytes: Buffer) => {
        const data = held ? Buffer.concat([held, bytes]) : bytes
        const status = statusOfWhole(data)
        if (status === undefined) {
          // The socket's own buffer is used again for the next read.
          held = held ? data : Buffer.from(bytes)
          return
        }
        held = undefined
        if (!running) return
        if (status < 200 || status > 299) failed++
        else if (answered < MOST_LATENCIES) latencies[answered] = performance.now() - sentAt
        answered++
        send()
      }
      const buffer = Buffer.allocUnsafe(65_536)
      const socket = connect({
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer,
          callback(length) {
            take(buffer.subarray(0, length))
            return true
          },
        },
      })
      sockets.add(socket)
      socket.on('connect', () => resolve(send))
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        if (!running) return
        failed++
        setTimeout(() => running && open().then((start) => start()), 5)
      })
    })

  const starts = await Promise.all(Array.from({ length: connections }, open))
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  for (const start of starts) start()
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  running = false
  const took = performance.now() - startedAt
  const cpu = process.cpuUsage(cpuBefore)
  for (const socket of sockets) socket.destroy()
  const sorted = latencies.subarray(0, Math.min(answered, MOST_LATENCIES)).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return {
    answered,
    failed,
    perSecond: ((answered - failed) * 1000) / took,
    p50: at(0.5),
    p99: at(0.99),
    ownCpu: (cpu.user + cpu.system) / 1000 / took,
  }
}

/** The status of an answer that is there to its last byte. */
function statusOfWhole(data: Buffer): number | undefined {
  const headEnd = data.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = data.toString('latin1', 0, headEnd)
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const whole =
    length !== undefined
      ? data.length >= headEnd + 4 + Number(length)
      : !/\r\ntransfer-encoding: *chunked/i.test(head) || data.toString('latin1', data.length - 5) === '0\r\n\r\n'
  return whole ? status : undefined
}
