// Builds, and accepts every golden file, transcript and snapshot as the tests write them now.
// Prints the files that have changed: read their difference before you commit it.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** Files of Git and new ones, without what it ignores. */
function listFiles(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', args, { encoding: 'utf8' }).trim().split('\n')
  return listed.filter((file) => existsSync(file))
}

function readFiles(): Map<string, string> {
  const files = new Map<string, string>()
  for (const file of listFiles()) files.set(file, readFileSync(file, 'latin1'))
  return files
}

/** Whether it succeeded. Its output is shown. */
function run(...args: readonly string[]): boolean {
  return spawnSync('npx', args, { stdio: 'inherit' }).status === 0
}

function isTestWithSnapshots(file: string, text: string): boolean {
  return /\.(test|spec)\.ts$/.test(file) && /\.toMatch(File|Inline)?Snapshot\(/.test(text)
}

const before = readFiles()
const tests: string[] = []
for (const [file, text] of before) {
  if (isTestWithSnapshots(file, text)) tests.push(file)
}

const isBuilt = run('tsx', 'build/build.ts')
const isGreen = isBuilt && run('vitest', 'run', ...tests, '--update')

const changed: string[] = []
for (const [file, text] of readFiles()) {
  if (before.get(file) !== text) changed.push(file)
}
console.log(changed.length > 0 ? `Changed:\n  ${changed.join('\n  ')}` : 'Nothing has changed.')
if (!isGreen) {
  console.log('Something failed, as shown above.')
  process.exitCode = 1
}
