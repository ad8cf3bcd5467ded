// The package as others get it: packed, and installed into a project that has nothing else.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const TSC = join(root, 'node_modules/typescript/bin/tsc')

export interface Packed {
  readonly tarball: string
  readonly size: number
  readonly files: readonly string[]
}

/** Packs what the last build made. */
export function pack(folder: string): Packed {
  const output = run(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', folder],
    root,
  )
  const [packed] = JSON.parse(output) as [
    { filename: string; size: number; files: { path: string }[] },
  ]
  return {
    tarball: join(folder, packed.filename),
    size: packed.size,
    files: packed.files.map(({ path }) => path),
  }
}

/** A fresh project with the tarball and these packages, and the programs of this folder in it. */
export function createProject(tarball: string, packages: readonly string[]): string {
  const project = mkdtempSync(join(tmpdir(), 'stranger-'))
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'stranger', private: true, type: 'module' }),
  )
  const npm = [
    'install',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--ignore-scripts',
    '--loglevel=error',
    '--engine-strict=false',
  ]
  run('npm', [...npm, tarball, ...packages], project)
  for (const file of ['imports.mjs', 'imports.cjs', 'imports.ts', 'mixed.mjs'])
    cpSync(fileURLToPath(new URL(file, import.meta.url)), join(project, file))
  return project
}

/**
 * Type-checks imports.ts in a project, declarations included; throws with what the compiler says.
 */
export function checkTypes(project: string, moduleResolution: 'nodenext' | 'bundler'): void {
  const compilerOptions = {
    module: moduleResolution === 'bundler' ? 'preserve' : moduleResolution,
    moduleResolution,
    target: 'es2022',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  }
  const config = `tsconfig.${moduleResolution}.json`
  writeFileSync(join(project, config), JSON.stringify({ compilerOptions, files: ['imports.ts'] }))
  run(process.execPath, [TSC, '-p', config], project)
}

/** The versions of packages that this repository itself develops with. */
export function ownVersion(name: string): string {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  return `${name}@${devDependencies[name]}`
}

export function run(command: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, args, {
      cwd,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, NODE_OPTIONS: '' },
    })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`)
  }
}
