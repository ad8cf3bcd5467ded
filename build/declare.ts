// The type declarations of the entry points and of what they refer to. Modules have one for ES
// modules and CommonJS; entry points have one for each, because a package of the user that they
// name may have different types for each. The compiler writes them for every module.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { entryPoints } from './entry-points.ts'
import { gatherDeclarations } from './gather-declarations.ts'

export async function declare(root: string): Promise<void> {
  const emitted = mkdtempSync(join(tmpdir(), 'declarations-'))
  try {
    await compile(root, emitted)
    write(emitted, join(root, 'dist/types'))
  } finally {
    rmSync(emitted, { recursive: true })
  }
}

function write(from: string, to: string): void {
  const entries = entryPoints.map(({ module }) => module.replace(/^src\/(.*)\.ts$/, '$1'))
  for (const [module, text] of gatherDeclarations(entries, (name) =>
    readFileSync(join(from, `${name}.d.ts`), 'utf8'),
  )) {
    mkdirSync(dirname(join(to, module)), { recursive: true })
    // ES modules may refer to CommonJS, but not the other way round.
    for (const extension of entries.includes(module) ? ['d.ts', 'd.cts'] : ['d.cts'])
      writeFileSync(join(to, `${module}.${extension}`), text)
  }
}

/** TypeScript 7 has no JavaScript API, so its command is run. */
async function compile(root: string, outDir: string): Promise<void> {
  const args = ['node_modules/typescript/bin/tsc', '-p', 'build', '--outDir', outDir]
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('the declarations have errors, listed above')
}
