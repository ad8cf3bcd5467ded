// The real runtime of Workers, from its package: a bundle of the worker in a process of its own, with its storage in a folder.
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
  /** The address of a bucket that it shares with others. */
  readonly cluster?: string
  /** Whether idle worlds stay in memory. */
  readonly keepsAll?: boolean
  /** The program, if it is to be another version's. */
  readonly program?: string
  /** Where worlds and configuration are; by default a new folder that is removed by `stop`. */
  readonly folder?: string
  /** Writes the entry and everything that it imports into one file. */
  readonly bundle?: (entry: string, file: string) => Promise<void>
}

export interface Workerd {
  readonly port: number
  readonly pid: number
  readonly folder: string
  /** What it has written so far. */
  log(): string
  /** As kill -9 does. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** The path of the program. */
const workerd: string = createRequire(import.meta.url)('workerd').default

/** In memory where there is such a folder: workerd waits for the disk with every write, and a process that is killed loses none of them. */
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
  readonly program?: string | undefined
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly isTemporary?: boolean
}

export async function startWorkerd(options: WorkerdOptions = {}): Promise<Workerd> {
  const { entry = DEPLOYED, cluster, program, folder: given, bundle = bundleWorker } = options
  const folder = given ?? mkdtempSync(join(FAST_FOLDER, 'workerd-'))
  mkdirSync(join(folder, 'worlds'), { recursive: true })
  await bundle(entry, join(folder, 'worker.js'))
  writeFileSync(join(folder, 'config.capnp'), toConfig(options))
  const isTemporary = given === undefined
  try {
    return await launch(folder, { program, isTemporary, flags: cluster === undefined ? [] : ['--experimental'] })
  } catch (error) {
    if (isTemporary) rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Starts what was bundled and configured there before. */
export async function launch(
  folder: string,
  { program = workerd, flags = [], env = {}, isTemporary = false }: LaunchOptions = {},
): Promise<Workerd> {
  const child = spawn(program, ['serve', 'config.capnp', '--control-fd=3', ...flags], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
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
    log: () => output,
    kill: () => end('SIGKILL'),
    async stop() {
      // Nothing is lost, and an open stream of events would make it wait.
      await end('SIGKILL')
      if (isTemporary) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function findPort(child: ChildProcess, log: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`workerd ended with ${code}: ${log()}`)))
    child.once('error', reject)
    child.stdio[3]?.once('data', (line) => resolve(JSON.parse(String(line).split('\n', 1)[0] as string).port))
  })
}

function toConfig({
  bindings = {},
  compatibilityDate = '2026-07-01',
  compatibilityFlags = ['enable_request_signal'],
  keepsAll = false,
  cluster,
}: WorkerdOptions): string {
  const texts = Object.entries(bindings).map(([name, text]) => `, (name = "${name}", text = ${JSON.stringify(text)})`)
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "main", worker = .main), (name = "disk", disk = (path = "worlds", writable = true)) ],
  sockets = [ (name = "http", address = "127.0.0.1:0", http = (), service = "main") ],${cluster === undefined ? '' : toCluster(cluster)}
);
const main :Workerd.Worker = (
  modules = [ (name = "worker.js", esModule = embed "worker.js") ],
  compatibilityDate = "${compatibilityDate}",
  compatibilityFlags = ${JSON.stringify(compatibilityFlags)},
  durableObjectNamespaces = [ (className = "World", uniqueKey = "animal-store-world", enableSql = true, preventEviction = ${keepsAll}) ],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [ (name = "WORLDS", durableObjectNamespace = "World")${texts.join('')} ],
);
`
}

function toCluster(bucket: string): string {
  const options = ['aws_region=us-east-1', 'aws_access_key_id=test', 'aws_secret_access_key=test', `aws_endpoint=${bucket}`]
  return `
  cluster = (
    bucket = "s3://mock/worlds",
    bucketOptions = ${JSON.stringify(options)},
    address = "127.0.0.1:0",
    key = "${'0123456789abcdef'.repeat(4)}",
  ),`
}
