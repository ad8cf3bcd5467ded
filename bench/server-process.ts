// A server as a real process: started, timed to its first answer, weighed, stopped.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { type BenchRequest, operations, toWire } from './operations.ts'

/** How to start a server on a port. */
export interface ServerCommand {
  readonly name: string
  /** What follows `node`. */
  readonly args: (port: number) => readonly string[]
  readonly cwd?: string
  /** Puts the animals of the server on that port back, where that can be done. */
  reset?(port: number): Promise<void>
}

export interface ServerProcess {
  readonly name: string
  readonly port: number
  /** From the start of the process to the end of its first success. */
  readonly firstAnswerMs: number
  /** Bytes in memory; NaN where the system does not tell. */
  rss(): number
  /** Seconds of processor time so far; NaN where the system does not tell. */
  cpu(): number
  /** Puts its animals back, where that can be done. */
  reset(): Promise<void>
  stop(): Promise<void>
}

const START_LIMIT = 60_000

/** What slows down the start of any Node process, and what `npm run` tells its own children. */
const LEFT_OUT = /^(NODE_EXTRA_CA_CERTS|NODE_OPTIONS|INIT_CWD|npm_(package|lifecycle)_.*|npm_config_local_prefix|ANIMAL_STORE_.*)$/

export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !LEFT_OUT.test(name))
  return { ...Object.fromEntries(kept), NO_COLOR: '1', NODE_ENV: 'production' }
}

export async function startServer(command: ServerCommand, first: BenchRequest = operations.listPets): Promise<ServerProcess> {
  const port = await findFreePort()
  const startedAt = performance.now()
  const child = spawn(process.execPath, command.args(port), {
    cwd: command.cwd,
    env: cleanEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr?.on('data', (text) => {
    complaint = (complaint + text).slice(-2000)
  })
  const wire = toWire(first, port)
  while (!(await tryOnce(port, wire))) {
    const late = performance.now() - startedAt > START_LIMIT
    if (late) child.kill('SIGKILL')
    if (late || child.exitCode !== null) throw new Error(`${command.name} did not answer: ${complaint || 'it said nothing'}`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  const firstAnswerMs = performance.now() - startedAt
  return {
    name: command.name,
    port,
    firstAnswerMs,
    rss: () => readRss(child.pid as number),
    cpu: () => readCpu(child.pid as number),
    reset: async () => command.reset?.(port),
    stop: () => stop(child),
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Whether the request gets a 2xx. */
function tryOnce(port: number, wire: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const end = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.on('connect', () => socket.write(wire))
    socket.on('data', (data) => end(/^HTTP\/1\.1 2/.test(data.toString('latin1', 0, 10))))
    socket.on('error', () => end(false))
    socket.on('close', () => end(false))
  })
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}

export function readRss(pid: number): number {
  if (process.platform === 'linux') return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  if (process.platform === 'darwin') return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
  return Number.NaN
}

/** User and system ticks of the process, of which Linux counts a hundred a second. */
export function readCpu(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
