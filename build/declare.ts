// The type declarations of the package's entry points and of what they refer to; the compiler writes far more, for every module.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const SPECIFIER = /(from |import\()(['"])(\.[^'"]+)\.ts\2/g

export async function declare(root: string): Promise<void> {
  await compile(join(root, 'build'))
  const folder = join(root, 'dist/types')
  const doors = Object.values(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports as Record<string, { types?: string }>)
  const reached = new Set<string>()
  for (const { types } of doors) if (types !== undefined) reach(join(root, types), reached)
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, file)
    if (!path.endsWith('.d.ts')) continue
    if (reached.has(path)) writeFileSync(path, readFileSync(path, 'utf8').replace(SPECIFIER, '$1$2$3.js$2'))
    else rmSync(path)
  }
}

/** TypeScript 7 has no JavaScript API, so its command is run. */
function compile(project: string): Promise<void> {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  return new Promise((resolve, reject) => {
    spawn(process.execPath, [compiler, '-p', project], { stdio: 'inherit' })
      .on('error', reject)
      .on('exit', (code) => (code === 0 ? resolve() : reject(new Error('the declarations have errors, listed above'))))
  })
}

function reach(path: string, reached: Set<string>): void {
  if (reached.has(path)) return
  reached.add(path)
  for (const [, , , source] of readFileSync(path, 'utf8').matchAll(SPECIFIER)) reach(join(dirname(path), `${source}.d.ts`), reached)
}
