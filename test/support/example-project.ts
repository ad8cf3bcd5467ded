// An example as its reader has it: a copy with its dependencies installed. They are links into this
// repository, so that nothing is downloaded and what is tested is what was just built.
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

export interface ExampleProject {
  readonly folder: string
  /**
   * Runs one of its npm scripts, or any command that its dependencies bring, and returns what it
   * printed.
   */
  run(command: string, env?: Readonly<Record<string, string>>): Promise<string>
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

export function createExampleProject(name: string): ExampleProject {
  const path = join('examples', name)
  return createLinkedProject(path, Object.keys(readManifest(join(root, path)).devDependencies))
}

/** The same for a suite in any folder of this repository, with these packages. */
export function createLinkedProject(path: string, dependencies: readonly string[]): ExampleProject {
  // Resolved, since TypeScript and Vite compare real paths.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `example-${basename(path)}-`)))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(root, path), folder, { recursive: true })
  for (const dependency of dependencies) install(dependency, folder)
  return {
    folder,
    async run(command, env = {}) {
      const PATH = `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`
      const outcome = promisify(execFile)('sh', ['-c', command], {
        cwd: folder,
        env: { ...process.env, VITEST: '', NODE_OPTIONS: '', PATH, ...env },
      })
      const { stdout, stderr } = await outcome.catch((error) =>
        Promise.reject(new Error(`${command}\n${error.stdout}${error.stderr}`)),
      )
      return stdout + stderr
    },
  }
}

function install(dependency: string, folder: string): void {
  const source = dependency === 'animal-store-mock' ? root : join(root, 'node_modules', dependency)
  const target = join(folder, 'node_modules', dependency)
  mkdirSync(dirname(target), { recursive: true })
  symlinkSync(source, target)
  const { bin = {}, name } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const commands: Record<string, string> = typeof bin === 'string' ? { [name]: bin } : bin
  for (const [command, path] of Object.entries(commands)) {
    const link = join(folder, 'node_modules/.bin', command)
    mkdirSync(dirname(link), { recursive: true })
    if (!existsSync(link)) symlinkSync(join(source, path), link)
  }
}
