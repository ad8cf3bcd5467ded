// The type declarations of the doors and of what they refer to; the compiler writes far more, for every module. Those in between are
// in one file, since `npx` takes longer for many, and it is CommonJS, which both kinds of doors can refer to. Whatever names a package
// of the user is written for both kinds, since that package may have types for each, and they need not be the same to the compiler.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { doors, toDeclaration } from './doors.ts'

const SPECIFIER = /((?:from|import) ?\(?)(['"])([^'"]+)\2/g

/** A line that imports or passes on names of another module, or says that this is one. */
const REFERENCE = /^(?:import|export) (?:type )?\{[^}]*\}(?: from '[^']*')?;\n/gm

/** What a declaration at the top of a file is called. */
const NAME = /^(?:export )?(?:declare )?(?:interface|class|type|function|const) (\w+)/gm

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
  const shared = join(root, 'dist/types/shared.d.ts')
  removeAll(join(root, 'dist/types'))
  const between = [...declarations].filter(([file]) => !isForBoth(file)).map(([, { text }]) => text)
  writeFileSync(toCommonJs(shared), merge(between))
  for (const [file, { text }] of declarations) {
    if (!isForBoth(file)) continue
    const respell = (extension: '.js' | '.cjs') =>
      text.replace(SPECIFIER, (whole, before, quote, source) => {
        if (!source.startsWith('.')) return whole
        const target = toTarget(file, source)
        return `${before}${quote}${isForBoth(target) ? source.replace(/\.ts$/, extension) : toSpecifier(file, shared)}${quote}`
      })
    writeFileSync(file, respell('.js'))
    if (!esmOnly.includes(file)) writeFileSync(toCommonJs(file), respell('.cjs'))
  }
}

/** Declarations of several modules as one: they refer to each other, and to nothing else. */
function merge(texts: readonly string[]): string {
  const merged = texts.map((text) => text.replaceAll(REFERENCE, '').replaceAll(/\bimport\([^)]*\)\./g, '')).join('')
  const names = [...merged.matchAll(NAME)].map(([, name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new Error(`two modules behind the doors declare ${twice}; rename one of them`)
  // Without this line, what is not exported would be.
  return `${merged}export {};\n`
}

function toCommonJs(file: string): string {
  return file.replace(/\.d\.ts$/, '.d.cts')
}

function toSpecifier(from: string, to: string): string {
  const path = relative(dirname(from), to).replace(/\.d\.ts$/, '.cjs')
  return path.startsWith('.') ? path : `./${path}`
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
  // Editors show declarations formatted; deep indentation would be most of a kilobyte of the package.
  const text = readFileSync(file, 'utf8').replace(/^ {4,}/gm, (indentation) => (indentation.length < 8 ? ' ' : '  '))
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
