// The type declarations of the entry points and of the modules that they refer to, as .d.ts and as .d.cts, because a package of the user that
// they name may have different types for each. The compiler writes them for every module.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { entryPoints } from './entry-points.ts'

/** A reference to a module of ours, up to its extension. */
const REFERENCE = /((?:from|import) ?\(?['"])(\.[^'"]+)\.ts(?=['"])/g

export async function declare(root: string): Promise<void> {
  const emitted = mkdtempSync(join(tmpdir(), 'declarations-'))
  try {
    await compile(join(root, 'build'), emitted)
    write(emitted, join(root, 'dist/types'))
  } finally {
    rmSync(emitted, { recursive: true })
  }
}

/** Every module that an entry point refers to, for ES modules and for CommonJS. */
function write(from: string, to: string): void {
  const modules = new Map<string, string>()
  const reach = (module: string) => {
    if (modules.has(module)) return
    const text = readFileSync(join(from, `${module}.d.ts`), 'utf8')
    modules.set(module, text)
    for (const [, , reference] of text.matchAll(REFERENCE)) reach(join(dirname(module), reference as string))
  }
  for (const { module } of entryPoints) reach(module.replace(/^src\/(.*)\.ts$/, '$1'))
  for (const [module, text] of modules) {
    mkdirSync(dirname(join(to, module)), { recursive: true })
    writeFileSync(join(to, `${module}.d.ts`), text.replace(REFERENCE, '$1$2.js'))
    writeFileSync(join(to, `${module}.d.cts`), text.replace(REFERENCE, '$1$2.cjs'))
  }
}

/** TypeScript 7 has no JavaScript API, so its command is run. */
function compile(project: string, outDir: string): Promise<void> {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  return new Promise((resolve, reject) => {
    spawn(process.execPath, [compiler, '-p', project, '--outDir', outDir], { stdio: 'inherit' })
      .on('error', reject)
      .on('exit', (code) => (code === 0 ? resolve() : reject(new Error('the declarations have errors, listed above'))))
  })
}
