// A project of a stranger: the packed package and some tools, installed from the registry into a folder of its own.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))
const TIMEOUT_MS = 300_000
const INSTALL = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', '--loglevel=error', '--engine-strict=false']

export interface Project {
  readonly folder: string
  readonly tarball: string
  freePort(): Promise<number>
  /** The program of a Node of that version. */
  node(version: string): Promise<string>
  /** Runs a command; programs of the project's packages can be named. Returns all that it printed, or throws with it. */
  run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>
  /** Runs a command, and returns what it printed to its standard output. */
  read(command: string, args: readonly string[]): Promise<string>
  /** Copies a file or folder of this repository; without a second path under its own name into the project. */
  copy(path: string, to?: string): void
  write(file: string, text: string): void
}

/** The tools could not be had: nothing is known about the package. */
export class NotInstalled extends Error {}

/** A project with these packages, the tarball among them; files of test/package/ are there to run. */
export async function createProject(tarball: string, packages: readonly string[], manifest: object): Promise<Project> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'matrix-project-')))
  const project: Project = {
    folder,
    tarball,
    freePort: findFreePort,
    node: findNode,
    async run(command, args, env) {
      const { stdout, stderr } = await execute(command, args, folder, env)
      return stdout + stderr
    },
    read: async (command, args) => (await execute(command, args, folder)).stdout,
    copy: (path, to = path.split('/').pop() as string) => cpSync(join(root, path), join(folder, to), { recursive: true }),
    write: (file, text) => writeFileSync(join(folder, file), text),
  }
  project.write('package.json', JSON.stringify({ name: 'stranger', private: true, ...manifest }))
  try {
    await project.run('npm', [...INSTALL, tarball, ...packages])
  } catch (error) {
    await installTools(project, packages)
    // The tools can be had without us.
    throw error
  }
  return project
}

async function installTools(project: Project, packages: readonly string[]): Promise<void> {
  try {
    await project.run('npm', [...INSTALL, ...packages])
  } catch (error) {
    throw new NotInstalled((error as Error).message)
  }
}

export function removeProject({ folder }: Project): void {
  // A browser's processes may still write to their caches there when it has closed.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** The program of that version; npm's registry has them as packages. */
async function findNode(version: string): Promise<string> {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath
  try {
    const { stdout } = await execute('npx', ['-y', '-p', `node@${version}`, '--', 'node', '-p', 'process.execPath'], tmpdir())
    return stdout.trim()
  } catch (error) {
    throw new NotInstalled((error as Error).message)
  }
}

async function execute(command: string, args: readonly string[], cwd: string, given: Readonly<Record<string, string>> = {}) {
  const PATH = `${join(cwd, 'node_modules/.bin')}:${process.env.PATH}`
  const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', PATH, ...given }
  try {
    return await promisify(execFile)(command, [...args], { cwd, env, timeout: TIMEOUT_MS, maxBuffer: 2 ** 26 })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`)
  }
}
