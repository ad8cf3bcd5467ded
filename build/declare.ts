// The type declarations of the doors and of the modules that they refer to; the compiler writes them for every module. Doors, and modules
// that name a package of the user, exist as .d.ts and as .d.cts, because that package may have different types for each. The others are
// .d.cts, which both can refer to.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { doors } from './doors.ts'

const REFERENCE = /((?:from|import) ?\(?['"])([^'"]+)(?=['"])/g

export async function declare(root: string): Promise<void> {
  const emitted = mkdtempSync(join(tmpdir(), 'declarations-'))
  try {
    await compile(join(root, 'build'), emitted)
    write(emitted, join(root, 'dist/types'))
  } finally {
    rmSync(emitted, { recursive: true })
  }
}

function write(from: string, to: string): void {
  const toFile = (module: string) => module.replace(/^src\/(.*)\.ts$/, '$1')
  const isDoor = new Set(doors.map(({ module }) => toFile(module)))
  const esmOnly = new Set(doors.filter(({ isEsmOnly }) => isEsmOnly).map(({ module }) => toFile(module)))
  const modules = new Map<string, { readonly text: string; readonly references: readonly string[] }>()
  const targetOf = (module: string, reference: string) => join(dirname(module), reference.replace(/\.ts$/, ''))
  const reach = (module: string) => {
    if (modules.has(module)) return
    // Deep indentation would be a kilobyte of the package.
    const text = readFileSync(join(from, `${module}.d.ts`), 'utf8').replace(/^ {4,}/gm, ({ length }) => (length < 8 ? ' ' : '  '))
    const references = [...text.matchAll(REFERENCE)].map(([, , reference]) => reference as string)
    modules.set(module, { text, references })
    for (const reference of references) if (reference.startsWith('.')) reach(targetOf(module, reference))
  }
  isDoor.forEach(reach)
  const isForBoth = (module: string): boolean => {
    const references = modules.get(module)?.references ?? []
    return (
      isDoor.has(module) || references.some((one) => (one.startsWith('.') ? isForBoth(targetOf(module, one)) : !one.startsWith('node:')))
    )
  }
  for (const [module, { text }] of modules) {
    for (const kind of isForBoth(module) ? (esmOnly.has(module) ? ['ts'] : ['ts', 'cts']) : ['cts']) {
      const respelled = text.replace(REFERENCE, (whole, before: string, one: string) => {
        if (!one.startsWith('.')) return whole
        return before + one.replace(/\.ts$/, kind === 'ts' && isForBoth(targetOf(module, one)) ? '.js' : '.cjs')
      })
      mkdirSync(dirname(join(to, module)), { recursive: true })
      writeFileSync(join(to, `${module}.d.${kind}`), respelled)
    }
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
