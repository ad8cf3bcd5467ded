// Leaves out declarations that no entry point reaches: the compiler writes those of whole modules, half of which is for our own code.
import { parseAst } from 'rolldown/parseAst'

/** A statement of a module, with the comment before it. */
interface Statement {
  readonly text: string
  readonly declares: readonly string[]
  /** Every word outside its comments: what it refers to is among them. */
  readonly words: ReadonlySet<string>
}

/** A name from another module. */
interface Reference {
  readonly from: string
  readonly name: string
  readonly isType: boolean
}

interface Module {
  readonly statements: readonly Statement[]
  readonly imports: ReadonlyMap<string, Reference>
  readonly exports: ReadonlyMap<string, Reference>
  readonly kept: Set<string>
}

/** `import("./store.ts").Store` */
const INLINE = /import\("(\.[^"]+)"\)\.(\w+)/g

/** The declarations of the entry points and of what they refer to, by module. `read` returns those of a module as the compiler wrote them. */
export function shakeDeclarations(entries: readonly string[], read: (module: string) => string): Map<string, string> {
  const modules = new Map<string, Module>()
  for (const entry of entries) {
    const { statements, exports } = open(entry)
    for (const name of exports.keys()) keep(entry, name)
    for (const statement of statements) keepStatement(entry, statement)
  }
  return new Map([...modules].map(([name, module]) => [name, render(module)]))

  function open(path: string): Module {
    const module = modules.get(path) ?? parseModule(read(path))
    modules.set(path, module)
    return module
  }
  function keep(path: string, name: string): void {
    const { statements, imports, exports, kept } = open(path)
    if (kept.has(name)) return
    kept.add(name)
    const reference = imports.get(name) ?? exports.get(name)
    if (reference) keepReference(path, reference.from, reference.name)
    for (const statement of statements) if (statement.declares.includes(name)) keepStatement(path, statement)
  }
  function keepStatement(path: string, { text, declares, words }: Statement): void {
    const { statements, imports } = open(path)
    const known = new Set([...imports.keys(), ...statements.flatMap((statement) => statement.declares)])
    for (const name of [...declares, ...words]) if (known.has(name)) keep(path, name)
    for (const [, from = '', name = ''] of text.matchAll(INLINE)) keepReference(path, from, name)
  }
  function keepReference(path: string, from: string, name: string): void {
    if (from.startsWith('.')) keep(new URL(from.replace(/\.ts$/, ''), `file:///${path}`).pathname.slice(1), name)
  }
}

function parseModule(text: string): Module {
  const imports = new Map<string, Reference>()
  const exports = new Map<string, Reference>()
  const statements: Statement[] = []
  let position = 0
  for (const node of parseAst(text, { lang: 'dts' }).body) {
    const own = text.slice(position, node.end)
    position = node.end
    if (node.type === 'ImportDeclaration') {
      for (const specifier of node.specifiers) {
        const name = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : 'default'
        imports.set(specifier.local.name, { from: node.source.value, name, isType: true })
      }
    } else if (node.type === 'ExportNamedDeclaration' && !node.declaration) {
      for (const { local, exported, exportKind } of node.specifiers) {
        const isType = [node.exportKind, exportKind].includes('type')
        const name = nameOf(local)
        const source = node.source ? { from: node.source.value, name } : imports.get(name)
        if (!source) throw new Error(`Export ${name} where it is declared`)
        exports.set(nameOf(exported), { ...source, isType })
      }
    } else {
      const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node
      const words = new Set(own.replaceAll(/\/\*[\s\S]*?\*\//g, '').match(/[\w$]+/g))
      statements.push({ text: own.trim(), declares: namesOf(declaration as unknown as Declaration), words })
    }
  }
  return { statements, imports, exports, kept: new Set() }
}

/** Any declaration, as far as its names are concerned. */
interface Declaration {
  readonly type: string
  readonly id?: { readonly name?: string }
  readonly declarations?: readonly { readonly id: { readonly name: string } }[]
}

function namesOf({ type, id, declarations = [] }: Declaration): string[] {
  if (type === 'ExportDefaultDeclaration') return ['default']
  return [...(id?.name === undefined ? [] : [id.name]), ...declarations.map((one) => one.id.name)]
}

const nameOf = (node: { name: string } | { value: string }) => ('name' in node ? node.name : node.value)

function render({ statements, imports, exports, kept }: Module): string {
  const lines = [
    ...renderReferences('import type', imports, kept, (name, { name: there }) => (name === there ? name : `${there} as ${name}`)),
    ...renderReferences(
      'export',
      exports,
      kept,
      (name, { name: there, isType }) => `${isType ? 'type ' : ''}${name === there ? name : `${there} as ${name}`}`,
    ),
    // A statement that declares no name of ours adds to a module of somebody else.
    ...statements.flatMap(({ text, declares }) => (declares.every((name) => kept.has(name)) ? text : [])),
  ]
  return lines.map((line) => `${line.replaceAll(/((?:from |import\()['"]\.[^'"]+)\.ts(?=['"])/g, '$1.cjs')}\n`).join('')
}

function renderReferences(
  keyword: string,
  references: ReadonlyMap<string, Reference>,
  kept: ReadonlySet<string>,
  show: (name: string, reference: Reference) => string,
): string[] {
  const used = [...references].filter(([name]) => kept.has(name))
  return [...new Set(used.map(([, { from }]) => from))].map((from) => {
    const names = used.flatMap(([name, reference]) => (reference.from === from ? show(name, reference) : []))
    return `${keyword} { ${names.join(', ')} } from '${from}';`
  })
}
