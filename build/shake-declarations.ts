// Leaves out declarations that no entry point reaches, and puts the others into one file: the
// compiler writes those of whole modules, half of which is for our own code.
import { posix } from 'node:path'
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
  readonly exports: Map<string, Reference>
  readonly kept: Set<string>
}

/** `import("./store.ts").Store` */
const INLINE = /import\("(\.[^"]+)"\)\.(\w+)/g

/** The file of every module that is not an entry point: `npx` takes longer for many files. */
const SHARED = 'shared'

/**
 * The declarations of the entry points and of what they refer to, by file. `read` returns those of
 * a module as the compiler wrote them. Modules that refer to somebody else's package stay apart,
 * since not every user has it.
 */
export function shakeDeclarations(
  entries: readonly string[],
  read: (module: string) => string,
): Map<string, string> {
  const modules = new Map<string, Module>()
  for (const entry of entries) {
    const { statements, exports } = open(entry)
    for (const name of exports.keys()) keep(entry, name)
    for (const statement of statements) keepStatement(entry, statement)
  }
  const shared = [...modules.keys()].filter(
    (path) => !entries.includes(path) && !reachesPackage(path, new Set()),
  )
  /** The names in the shared file, by module and name. */
  const finalNames = new Map<string, string>()
  for (const path of shared) {
    for (const name of open(path).statements.flatMap(({ declares }) => declares)) {
      const taken = [...finalNames.values()].filter(
        (one) => one.replace(/\$\d+$/, '') === name,
      ).length
      if (open(path).kept.has(name))
        finalNames.set(`${path} ${name}`, taken === 0 ? name : `${name}$${taken}`)
    }
  }
  const files = [...modules]
    .filter(([path]) => !shared.includes(path))
    .map(([path]) => [path, renderModule(path)] as const)
  return new Map([...files, [SHARED, shared.map(renderStatements).join('')]])

  function open(path: string): Module {
    const known = modules.get(path)
    if (known) return known
    const { wholes, ...module } = parseModule(read(path))
    modules.set(path, module)
    for (const from of wholes) {
      const exported = open(join(path, from)).statements.filter(({ words }) => words.has('export'))
      for (const name of exported.flatMap(({ declares }) => declares))
        module.exports.set(name, { from, name, isType: true })
    }
    return module
  }
  function keep(path: string, name: string): void {
    const { statements, imports, exports, kept } = open(path)
    if (kept.has(name)) return
    kept.add(name)
    const reference = imports.get(name) ?? exports.get(name)
    if (reference) keepReference(path, reference.from, reference.name)
    for (const statement of statements)
      if (statement.declares.includes(name)) keepStatement(path, statement)
  }
  function keepStatement(path: string, { text, declares, words }: Statement): void {
    const { statements, imports } = open(path)
    const known = new Set([
      ...imports.keys(),
      ...statements.flatMap((statement) => statement.declares),
    ])
    for (const name of [...declares, ...words]) if (known.has(name)) keep(path, name)
    for (const [, from = '', name = ''] of text.matchAll(INLINE)) keepReference(path, from, name)
  }
  function keepReference(path: string, from: string, name: string): void {
    if (from.startsWith('.')) keep(join(path, from), name)
  }
  function references(path: string): Reference[] {
    const { imports, exports, kept, statements } = open(path)
    const inline = statements.filter(isKept(kept)).flatMap(({ text }) => [...text.matchAll(INLINE)])
    const used = [...imports, ...exports].flatMap(([name, reference]) =>
      kept.has(name) ? reference : [],
    )
    return [...used, ...inline.map(([, from = '', name = '']) => ({ from, name, isType: true }))]
  }
  function reachesPackage(path: string, seen: Set<string>): boolean {
    if (seen.has(path)) return false
    seen.add(path)
    return references(path).some(
      ({ from }) => !from.startsWith('.') || reachesPackage(join(path, from), seen),
    )
  }
  /** Where a name is declared, and its name there. */
  function locate(
    path: string,
    { from, name }: Pick<Reference, 'from' | 'name'>,
  ): Pick<Reference, 'from' | 'name'> {
    if (!from.startsWith('.')) return { from, name }
    const target = join(path, from)
    const { imports, exports } = open(target)
    const next = imports.get(name) ?? exports.get(name)
    if (next) return locate(target, next)
    const final = finalNames.get(`${target} ${name}`)
    return final === undefined ? { from: `/${target}`, name } : { from: `/${SHARED}`, name: final }
  }
  function renderModule(path: string): string {
    const { imports, exports } = open(path)
    return (
      [
        ...renderReferences('import type', path, imports),
        ...renderReferences('export', path, exports),
      ].join('') + renderStatements(path)
    )
  }
  function renderReferences(
    keyword: string,
    path: string,
    all: ReadonlyMap<string, Reference>,
  ): string[] {
    const used = [...all]
      .filter(([name]) => open(path).kept.has(name))
      .map(([name, one]) => ({ ...one, ...locate(path, one), as: name }))
    return [...new Set(used.map(({ from }) => from))].map((from) => {
      const names = used
        .filter((one) => one.from === from)
        .map(({ name, as, isType }) => {
          const renamed = name === as ? name : `${name} as ${as}`
          return keyword === 'export' && isType ? `type ${renamed}` : renamed
        })
      return `${keyword} { ${names.join(', ')} } from '${spell(path, from)}';\n`
    })
  }
  function renderStatements(path: string): string {
    const { statements, kept } = open(path)
    const isShared = shared.includes(path)
    const renamed = isShared ? listRenamed(path) : []
    let rendered = ''
    for (const { text } of statements.filter(isKept(kept))) {
      let located = text.replaceAll(INLINE, (_, from, name) => {
        const found = locate(path, { from, name })
        return isShared ? found.name : `import("${spell(path, found.from)}").${found.name}`
      })
      for (const [name, own] of renamed) located = renameIn(located, name, own)
      rendered += `${located}\n`
    }
    return rendered
  }
  /** The names of a module of the shared file that have another name there. */
  function listRenamed(path: string): [name: string, own: string][] {
    const { imports, kept } = open(path)
    const renamed: [string, string][] = []
    for (const name of kept) {
      const imported = imports.get(name)
      const own = imported ? locate(path, imported).name : finalNames.get(`${path} ${name}`)
      if (own && own !== name) renamed.push([name, own])
    }
    return renamed
  }
}

/** Neither a member nor a field of that name is meant. */
function renameIn(text: string, name: string, own: string): string {
  return text.replaceAll(new RegExp(`(?<![.\\w$])${name}(?![\\w$]|\\??:)`, 'g'), () => own)
}

/** A statement that declares no name adds to a module of somebody else. */
const isKept =
  (kept: ReadonlySet<string>) =>
  ({ declares }: Statement) =>
    declares.every((name) => kept.has(name))

const join = (path: string, from: string) =>
  new URL(from.replace(/\.ts$/, ''), `file:///${path}`).pathname.slice(1)

/** How the module at `path` names a file of ours, which begins with a slash, or a package. */
function spell(path: string, from: string): string {
  if (!from.startsWith('/')) return from
  const relative = posix.relative(posix.dirname(`/${path}`), from)
  return `${relative.startsWith('.') ? '' : './'}${relative}.cjs`
}

/** `wholes` are the modules of which it exports every type. */
function parseModule(text: string): Module & { readonly wholes: readonly string[] } {
  const imports = new Map<string, Reference>()
  const exports = new Map<string, Reference>()
  const statements: Statement[] = []
  const wholes: string[] = []
  let position = 0
  for (const node of parseAst(text, { lang: 'dts' }).body) {
    const own = text.slice(position, node.end)
    position = node.end
    if (node.type === 'ImportDeclaration') {
      for (const specifier of node.specifiers) {
        const name = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : 'default'
        imports.set(specifier.local.name, { from: node.source.value, name, isType: true })
      }
    } else if (node.type === 'ExportAllDeclaration') wholes.push(node.source.value)
    else if (node.type === 'ExportNamedDeclaration' && !node.declaration) {
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
      statements.push({
        text: own.trim(),
        declares: namesOf(declaration as unknown as Declaration),
        words,
      })
    }
  }
  return { statements, imports, exports, wholes, kept: new Set() }
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

const nameOf = (node: { name: string } | { value: string }) =>
  'name' in node ? node.name : node.value
