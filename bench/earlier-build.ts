// The mock of an earlier commit, built in a temporary worktree. What runs is kept under
// node_modules/.cache, since a commit does not change.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Mistake } from './mistake.ts'
import { root } from './server.ts'

const CACHE = join(root, 'node_modules/.cache/animal-store-bench')
/** All that a build needs to run: nothing that it imports is installed. */
const KEPT = ['bin', 'dist', 'package.json']

export function findCommit(name: string): string {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]
  try {
    return git(...args).trim()
  } catch {
    throw new Mistake(`${JSON.stringify(name)} is not a commit of this repository`)
  }
}

/** The folder of a commit's build. */
export function buildCommit(commit: string): string {
  const kept = join(CACHE, commit)
  if (existsSync(kept)) return kept
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-build-'))
  try {
    git('worktree', 'add', '--detach', '--force', folder, commit)
    installInto(folder)
    run(folder, 'npm', ['run', 'build'])
    // First under another name: whoever finds the folder finds it complete.
    const unfinished = `${kept}.${process.pid}`
    for (const name of KEPT) cpSync(join(folder, name), join(unfinished, name), { recursive: true })
    renameSync(unfinished, kept)
    return kept
  } finally {
    rmSync(folder, { recursive: true, force: true })
    git('worktree', 'prune')
  }
}

export function buildHere(): void {
  run(root, 'npm', ['run', 'build'])
}

function installInto(folder: string): void {
  const readLock = (at: string) => readFileSync(join(at, 'package-lock.json'), 'utf8')
  if (readLock(folder) === readLock(root))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  else run(folder, 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
}

function run(cwd: string, command: string, args: readonly string[]): void {
  try {
    execFileSync(command, args, { cwd, stdio: 'pipe', encoding: 'utf8' })
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    const reason = stderr?.trim() || message
    throw new Mistake(`${command} ${args.join(' ')} failed in ${cwd}:\n${reason}`)
  }
}

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
