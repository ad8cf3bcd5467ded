// A server as a process: started, timed to its first response, weighed, stopped.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ask, type BenchRequest, LIST, type Received } from './requests.ts'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** How to start a server on a port. */
export interface ServerCommand {
  readonly name: string
  /** What follows `node`. */
  readonly args: (port: number) => readonly string[]
  readonly cwd?: string
  /** Restores the animals that the server on that port started with. */
  reset?(port: number): Promise<void>
}

export interface Server {
  readonly name: string
  readonly port: number
  readonly pid: number
  /** From the start of the process to its first success. */
  readonly firstResponseMs: number
  reset(): Promise<void>
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 120_000

/** Variables that slow down or change the start of a Node process. */
const LEFT_OUT = /^(NODE_EXTRA_CA_CERTS|NODE_OPTIONS|INIT_CWD|npm_.*|ANIMAL_STORE_.*)$/

export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !LEFT_OUT.test(name))
  return { ...Object.fromEntries(kept), NO_COLOR: '1', NODE_ENV: 'production' }
}

export type LogStyle = 'silent' | 'pretty'

interface OurCommand {
  readonly name?: string
  /** Where it was built. */
  readonly folder?: string
  readonly log?: LogStyle
  readonly flags?: readonly string[]
}

/** The built mock. */
export function ours(command: OurCommand = {}): ServerCommand {
  const { name = 'animal-store-mock', folder = root, log = 'silent', flags = [] } = command
  const program = join(folder, 'bin/animal-store-mock.js')
  return {
    name,
    args: (port) => [program, '--port', String(port), '--log', log, ...flags],
    reset: (port) => resetMock(`http://127.0.0.1:${port}/__mock/reset`),
  }
}

export async function resetMock(
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { ok, status } = await fetch(address, {
    method: 'POST',
    headers: { 'X-Mock-Control': '1', ...headers },
  })
  if (!ok) throw new Error(`reset: ${status}`)
}

export async function startServer(command: ServerCommand): Promise<Server> {
  const port = await findFreePort()
  const startedAt = performance.now()
  const args = command.args(port)
  const child = spawn(process.execPath, args, {
    cwd: command.cwd,
    env: cleanEnvironment(),
    stdio: 'ignore',
  })
  while ((await ask(port, LIST).catch(() => undefined))?.status !== 200) {
    const isLate = performance.now() - startedAt > START_TIMEOUT_MS
    if (isLate) child.kill('SIGKILL')
    if (isLate || child.exitCode !== null)
      throw new Error(`${command.name} did not respond: node ${args.join(' ')}`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return {
    name: command.name,
    port,
    pid: child.pid as number,
    firstResponseMs: performance.now() - startedAt,
    reset: async () => command.reset?.(port),
    stop: () => stop(child),
  }
}

/** Starts all of them, and stops them when the work is done. */
export async function withServers<T>(
  commands: readonly ServerCommand[],
  work: (servers: Server[]) => Promise<T>,
): Promise<T> {
  const servers: Server[] = []
  try {
    for (const command of commands) servers.push(await startServer(command))
    return await work(servers)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/**
 * A gentle signal first: Node writes its cache of compiled code only when a process ends by itself.
 */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), 2_000)
  child.kill('SIGTERM')
  await exited
  clearTimeout(timer)
}

export function readRss(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

/** Microseconds of processor time of all threads. */
export function readCpu(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = threads.map((thread) =>
    Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), 10),
  )
  return nanoseconds.reduce((sum, each) => sum + each) / 1e3
}

const ADDED_BY_NODE = ['date', 'connection', 'keep-alive']

/** The bare server, which replays what the mock with these flags responds to these requests. */
export async function withBare<T>(
  requests: readonly BenchRequest[],
  work: (bare: ServerCommand) => Promise<T>,
  flags: readonly string[] = [],
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'))
  const file = join(folder, 'recorded.json')
  const record = async ([server]: readonly Server[]) => {
    const recorded: Record<string, Received> = {}
    for (const sent of [LIST, ...requests]) {
      const { headers, ...rest } = await ask((server as Server).port, sent)
      const kept = Object.entries(headers).filter(([name]) => !ADDED_BY_NODE.includes(name))
      recorded[`${sent.method} ${sent.target}`] = { ...rest, headers: Object.fromEntries(kept) }
    }
    return JSON.stringify(recorded)
  }
  try {
    const recorded = await withServers([ours({ flags })], record)
    writeFileSync(file, recorded)
    const bare: ServerCommand = {
      name: 'bare node:http',
      args: (port) => [join(root, 'bench/bare.mjs'), file, String(port)],
    }
    if ((await withServers([bare], record)) !== recorded)
      throw new Error('the bare server sends other bytes than the mock')
    return await work(bare)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
