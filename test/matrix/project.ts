// A project of a stranger: the packed package and some tools, installed from the registry into a
// folder outside this repository.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))
const TIMEOUT_MS = 300_000
const INSTALL =
  'npm install --no-audit --no-fund --prefer-offline --ignore-scripts --loglevel=error --engine-strict=false'
const INSTALL_DEBIAN =
  'apt-get update && apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300'
/** Newer ones of these lack programs for some machines. */
const overrides = { rollup: '4.65.0', esbuild: '0.28.2' }

/** The tools could not be had: nothing is known about the package. */
export class NotInstalled extends Error {}

/** The folder of one row; the packages are in the folder above it. */
export interface Project {
  readonly folder: string
  readonly tarball: string
  /**
   * Runs a shell command, in which programs of the packages can be named. Returns all that it
   * printed, or throws with it.
   */
  run(command: string, env?: Readonly<Record<string, string>>): Promise<string>
  write(file: string, text: string): void
}

/** Installs the tarball and these packages, and returns the folder. */
export async function install(tarball: string, packages: readonly string[]): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'matrix-project-')))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'stranger', private: true, overrides }),
  )
  try {
    await execute(`${INSTALL} ${[tarball, ...packages].join(' ')}`, folder)
  } catch (error) {
    // If the tools can be had without us, it is our fault.
    await orNotInstalled(execute(`${INSTALL} ${packages.join(' ')}`, folder))
    throw error
  }
  return folder
}

/**
 * A folder below an installed one, with copies of these files of the repository; of a folder, what
 * it holds.
 */
export function createProject(
  installed: string,
  tarball: string,
  files: readonly string[],
): Project {
  const folder = mkdtempSync(join(installed, 'row-'))
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  write('package.json', JSON.stringify({ name: 'row', private: true, type: 'module' }))
  symlinkSync('../node_modules', join(folder, 'node_modules'))
  for (const file of files)
    cpSync(join(root, file), file.endsWith('/') ? folder : join(folder, basename(file)), {
      recursive: true,
    })
  return { folder, tarball, write, run: (command, env) => execute(command, folder, env) }
}

export function remove(folder: string): void {
  // A browser's processes may still write to their caches there when it has closed.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** The folder of the program `node` of that version; npm's registry has them as packages. */
export async function findNode(version: string): Promise<string> {
  if (process.versions.node.startsWith(`${version}.`)) return dirname(process.execPath)
  const path = await orNotInstalled(
    execute(
      `npx -y -p node@${version} -- node -p process.execPath 2> npx.log`,
      mkdtempSync(join(tmpdir(), 'matrix-node-')),
    ),
  )
  return dirname(path.trim())
}

/** Makes sure that a program outside npm is there. */
export async function getProgram(path: string, packages: string): Promise<void> {
  if (existsSync(path)) return
  const command = `${INSTALL_DEBIAN} ${packages}`
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new NotInstalled(`${path} is not there; get it with ${command}`)
  await orNotInstalled(execute(command, tmpdir()))
  if (!existsSync(path)) throw new NotInstalled(`${path} is not in ${packages}`)
}

async function orNotInstalled(trial: Promise<string>): Promise<string> {
  return trial.catch((error: Error) => Promise.reject(new NotInstalled(error.message)))
}

async function execute(
  command: string,
  cwd: string,
  { PATH, ...given }: Readonly<Record<string, string>> = {},
): Promise<string> {
  const path = [...(PATH ? [PATH] : []), join(cwd, 'node_modules/.bin'), process.env.PATH].join(':')
  const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', ...given, PATH: path }
  try {
    const { stdout, stderr } = await promisify(execFile)('sh', ['-ec', command], {
      cwd,
      env,
      timeout: TIMEOUT_MS,
      maxBuffer: 2 ** 26,
    })
    return stdout + stderr
  } catch (error) {
    const {
      stdout = '',
      stderr = '',
      killed,
    } = error as { stdout?: string; stderr?: string; killed?: boolean }
    throw new Error(
      `${command}\n${stdout}${stderr}${killed ? `stopped after ${TIMEOUT_MS} ms` : ''}`,
    )
  }
}
