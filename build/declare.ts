// The type declarations of the doors and of what they refer to; the compiler writes far more, for every module. Those in between are
// written once, as CommonJS, which both kinds of doors can refer to. Whatever names a package of the user is written for both kinds,
// since that package may have types for each, and they need not be the same to the compiler.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { doors, toDeclaration } from './doors.ts'

const SPECIFIER = /((?:from|import) ?\(?)(['"])([^'"]+)\2/g

interface Declaration {
  readonly text: string
  /** The declarations that it refers to, by their paths. */
  readonly refersTo: readonly string[]
  readonly namesPackage: boolean
}

export async function declare(root: string): Promise<void> {
  await compile(join(root, 'build'))
  const declarations = new Map<string, Declaration>()
  const doorFiles = doors.map(({ module }) => join(root, toDeclaration(module, 'ts')))
  const esmOnly = doors.filter(({ isEsmOnly }) => isEsmOnly).map(({ module }) => join(root, toDeclaration(module, 'ts')))
  for (const file of doorFiles) reach(file, declarations)
  const isForBoth = (file: string): boolean => {
    const { namesPackage, refersTo } = declarations.get(file) as Declaration
    return doorFiles.includes(file) || namesPackage || refersTo.some(isForBoth)
  }
  removeAll(join(root, 'dist/types'))
  for (const [file, { text }] of declarations) {
    const respell = (extensionOf: (target: string) => string) =>
      text.replace(SPECIFIER, (whole, before, quote, source) =>
        source.startsWith('.') ? `${before}${quote}${source.replace(/\.ts$/, extensionOf(toTarget(file, source)))}${quote}` : whole,
      )
    if (isForBoth(file))
      writeFileSync(
        file,
        respell((target) => (isForBoth(target) ? '.js' : '.cjs')),
      )
    if (!esmOnly.includes(file))
      writeFileSync(
        file.replace(/\.d\.ts$/, '.d.cts'),
        respell(() => '.cjs'),
      )
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

function reach(file: string, reached: Map<string, Declaration>): void {
  if (reached.has(file)) return
  const text = readFileSync(file, 'utf8')
  const sources = [...text.matchAll(SPECIFIER)].map(([, , , source]) => source as string)
  const refersTo = sources.filter((source) => source.startsWith('.')).map((source) => toTarget(file, source))
  reached.set(file, { text, refersTo, namesPackage: sources.some((source) => !/^(?:\.|node:)/.test(source)) })
  for (const target of refersTo) reach(target, reached)
}

function toTarget(file: string, source: string): string {
  return join(dirname(file), source.replace(/\.ts$/, '.d.ts'))
}

function removeAll(folder: string): void {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))) {
    rmSync(join(folder, file))
  }
}
