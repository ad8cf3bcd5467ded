// The type declarations of the entry points and of the modules that they refer to. Modules have one for ES modules and CommonJS; entry points
// have one for each, because a package of the user that they name may have different types for each. The compiler writes them for every module.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { entryPoints } from './entry-points.ts'

/** A reference to a module of ours, up to its extension. */
const REFERENCE = /((?:from|import) ?\(?['"])(\.[^'"]+)\.ts(?=['"])/g

export async function declare(root: string): Promise<void> {
  const emitted = mkdtempSync(join(tmpdir(), 'declarations-'))
  try {
    await compile(root, emitted)
    write(emitted, join(root, 'dist/types'))
  } finally {
    rmSync(emitted, { recursive: true })
  }
}

/** Every module that an entry point refers to. */
function write(from: string, to: string): void {
  const written = new Set<string>()
  const reach = (module: string) => {
    if (written.has(module)) return
    written.add(module)
    const text = readFileSync(join(from, `${module}.d.ts`), 'utf8')
    mkdirSync(dirname(join(to, module)), { recursive: true })
    const isEntry = entryPoints.some((entry) => entry.module === `src/${module}.ts`)
    // ES modules may refer to CommonJS, but not the other way round.
    for (const extension of isEntry ? ['d.ts', 'd.cts'] : ['d.cts']) {
      writeFileSync(join(to, `${module}.${extension}`), text.replace(REFERENCE, '$1$2.cjs'))
    }
    for (const [, , reference] of text.matchAll(REFERENCE)) reach(join(dirname(module), reference as string))
  }
  for (const { module } of entryPoints) reach(module.replace(/^src\/(.*)\.ts$/, '$1'))
}

/** TypeScript 7 has no JavaScript API, so its command is run. */
async function compile(root: string, outDir: string): Promise<void> {
  const args = ['node_modules/typescript/bin/tsc', '-p', 'build', '--outDir', outDir]
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('the declarations have errors, listed above')
}
