// Bursts of a fixed number of requests, in turns: what each server spends on them, round by round.
// The client works on plain sockets, because an HTTP client would cost more than the servers do.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type BenchRequest, type Case, toWire } from './requests.ts'
import { readCpu, readRss, type Server, type ServerCommand, withServers } from './server.ts'

export interface RaceSettings {
  readonly rounds: number
  /** Requests per burst. */
  readonly count: number
  readonly warmUps: number
  readonly connections: number
  /** How often each server is started: two processes of the same code can differ by a tenth. */
  readonly processes: number
}

export const RACE: RaceSettings = {
  rounds: 60,
  count: 1_500,
  warmUps: 15,
  connections: 32,
  processes: 3,
}

/** Round by round. */
export interface Spent {
  /** Microseconds of processor time per request. */
  readonly cpu: number[]
  readonly perSecond: number[]
  /** Bytes of memory at the end, process by process. */
  readonly rss: number[]
}

export const createSpent = (): Spent => ({ cpu: [], perSecond: [], rss: [] })

type Raced = Pick<Case, 'requests' | 'adds'>

/** Starts each server several times and races them. */
export async function race(
  commands: readonly ServerCommand[],
  raced: Raced,
  settings: RaceSettings,
): Promise<Spent[]> {
  const spent = commands.map(createSpent)
  for (let started = 0; started < settings.processes; started++) {
    await withServers(commands, (servers) => raceServers(servers, raced, settings, spent))
  }
  return spent
}

/**
 * Every server runs one burst per round, in an order that turns, so that a busy machine slows all
 * of them alike.
 */
export async function raceServers(
  servers: readonly Server[],
  { requests, adds }: Raced,
  { rounds, count, warmUps, connections, processes }: RaceSettings,
  spent: readonly Spent[],
): Promise<void> {
  for (let round = -warmUps; round < rounds / processes; round++) {
    const entries = [...servers.entries()]
    for (const [index, server] of round % 2 === 0 ? entries : entries.reverse()) {
      if (adds) await server.reset()
      const { cpu, seconds } = await burst(server, requests, count, connections)
      if (round < 0) continue
      spent[index]?.cpu.push(cpu / count)
      spent[index]?.perSecond.push(count / seconds)
    }
  }
  for (const [index, { pid }] of servers.entries()) spent[index]?.rss.push(readRss(pid))
}

/**
 * One burst on open keep-alive connections without pipelining. Fails on any response but a success.
 */
async function burst(
  server: Server,
  requests: readonly BenchRequest[],
  count: number,
  connections: number,
): Promise<{ cpu: number; seconds: number }> {
  const wires = requests.map((request) => toWire(request, server.port))
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(server.port)))
  let sent = 0
  let received = 0
  const cpuBefore = readCpu(server.pid)
  const startedAt = performance.now()
  try {
    await new Promise<void>((resolve, reject) => {
      for (const socket of sockets) {
        let held: Buffer | undefined
        const send = () => {
          if (sent < count) socket.write(wires[sent++ % wires.length] as Buffer)
        }
        socket.on('data', (bytes: Buffer) => {
          const data = held ? Buffer.concat([held, bytes]) : bytes
          const status = statusOfWhole(data)
          held = status === undefined ? data : undefined
          if (status === undefined) return
          if (status < 200 || status > 299)
            return reject(
              new Error(`${server.name} responded ${status}: ${data.toString().slice(0, 500)}`),
            )
          if (++received === count) return resolve()
          send()
        })
        socket.on('error', reject)
        socket.on('close', () => reject(new Error(`${server.name} closed a connection`)))
        send()
      }
    })
    return {
      cpu: readCpu(server.pid) - cpuBefore,
      seconds: (performance.now() - startedAt) / 1_000,
    }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  return socket
}

/** The status of a response that has arrived to its last byte. */
function statusOfWhole(data: Buffer): number | undefined {
  const headEnd = data.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = data.toString('latin1', 0, headEnd)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const isWhole =
    length === undefined
      ? data.toString('latin1', data.length - 5) === '0\r\n\r\n'
      : data.length >= headEnd + 4 + Number(length)
  return isWhole ? Number(head.slice(9, 12)) : undefined
}
