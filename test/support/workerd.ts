// The real runtime of Workers, from its package: a bundle of the worker in a separate process, with
// its storage in a folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

export interface WorkerdOptions {
  /** The file to bundle; by default the worker as a deployment has it. */
  readonly entry?: string
  readonly bindings?: Readonly<Record<string, string>>
  readonly compatibilityDate?: string
  readonly compatibilityFlags?: readonly string[]
  /** Whether idle sandboxes stay in memory. */
  readonly keepsAll?: boolean
  /** The folder for sandboxes and configuration; by default a new one that `stop` removes. */
  readonly folder?: string
}

export interface Workerd {
  readonly port: number
  readonly pid: number
  readonly folder: string
  /** As kill -9 does. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** The path of the program. */
const workerd: string = createRequire(import.meta.url)('workerd').default

/**
 * In memory if possible: workerd waits for the disk with every write. A killed process loses
 * nothing there.
 */
const FAST_FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
export const MANY_DEPLOYMENTS = here('./worker-entry.js')
const DEPLOYED = here('../../src/hosts/worker/index.ts')

/** The worker and everything that it imports, in one file. */
async function bundleWorker(entry: string, file: string): Promise<void> {
  await build({
    input: entry,
    external: [/^cloudflare:/],
    platform: 'browser',
    output: { file, format: 'esm', codeSplitting: false },
    logLevel: 'silent',
  })
}

export interface LaunchOptions {
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly isTemporary?: boolean
}

export async function startWorkerd(options: WorkerdOptions = {}): Promise<Workerd> {
  const { entry = DEPLOYED, folder: given } = options
  const folder = given ?? mkdtempSync(join(FAST_FOLDER, 'workerd-'))
  mkdirSync(join(folder, 'sandboxes'), { recursive: true })
  await bundleWorker(entry, join(folder, 'worker.js'))
  writeFileSync(join(folder, 'config.capnp'), toConfig(options))
  const isTemporary = given === undefined
  try {
    return await launch(folder, { isTemporary })
  } catch (error) {
    if (isTemporary) rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Starts the worker that was bundled and configured in the folder before. */
export async function launch(
  folder: string,
  { flags = [], env = {}, isTemporary = false }: LaunchOptions = {},
): Promise<Workerd> {
  const child = spawn(workerd, ['serve', 'config.capnp', '--control-fd=3', ...flags], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => (output += chunk))
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const port = await findPort(child, () => output)
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await exited
  }
  return {
    port,
    pid: child.pid as number,
    folder,
    kill: () => end('SIGKILL'),
    async stop() {
      // A kill loses nothing, and an open event stream would delay a plain stop.
      await end('SIGKILL')
      if (isTemporary) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function findPort(child: ChildProcess, log: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`workerd ended with ${code}: ${log()}`)))
    child.once('error', reject)
    child.stdio[3]?.once('data', (line) =>
      resolve(JSON.parse(String(line).split('\n', 1)[0] as string).port),
    )
  })
}

function toConfig({
  bindings = {},
  compatibilityDate = '2026-07-01',
  compatibilityFlags = ['enable_request_signal'],
  keepsAll = false,
}: WorkerdOptions): string {
  const texts = Object.entries(bindings).map(
    ([name, text]) => `, (name = "${name}", text = ${JSON.stringify(text)})`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "main", worker = .main), (name = "disk", disk = (path = "sandboxes", writable = true)) ],
  sockets = [ (name = "http", address = "127.0.0.1:0", http = (), service = "main") ],
);
const main :Workerd.Worker = (
  modules = [ (name = "worker.js", esModule = embed "worker.js") ],
  compatibilityDate = "${compatibilityDate}",
  compatibilityFlags = ${JSON.stringify(compatibilityFlags)},
  durableObjectNamespaces = [ (className = "Sandbox", uniqueKey = "animal-store-sandbox", enableSql = true, preventEviction = ${keepsAll}) ],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [ (name = "SANDBOXES", durableObjectNamespace = "Sandbox")${texts.join('')} ],
);
`
}
