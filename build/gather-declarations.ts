// Gathers the declarations that entry points reach into one file: the compiler writes those of
// whole modules, half of which is for our own code, and `npx` takes longer for many files.
import { posix } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

/** A statement of a module, with the comment before it. */
interface Statement {
  readonly text: string
  readonly declares: readonly string[]
  /** Every word outside its comments: the names that it refers to are among them. */
  readonly words: ReadonlySet<string>
}

interface Module {
  readonly statements: readonly Statement[]
  /** Where it has the names from that it imports, or exports for another module. */
  readonly sources: ReadonlyMap<string, string>
  /** What it exports of other modules, by name: `type Pet`, `createMock`. */
  readonly exports: ReadonlyMap<string, string>
  /** Other modules of which it exports every type. */
  readonly wholes: readonly string[]
}

/** `import("./store.ts").Store` */
const INLINE = /import\("([^"]+)"\)\.(\w+)/g
/** The file with all that is not an entry point. */
const SHARED = 'shared'

/**
 * The declarations of the entry points and of what they refer to, by file. `read` returns those of
 * a module as the compiler wrote them. A name means the same in every module.
 */
export function gatherDeclarations(
  entries: readonly string[],
  read: (module: string) => string,
): Map<string, string> {
  const modules = new Map<string, Module>()
  /** The shared declarations by name, with the module of each. */
  const shared = new Map<string, { readonly path: string; readonly text: string }>()

  function open(path: string): Module {
    const known = modules.get(path)
    if (known) return known
    const module = parseModule(read(path))
    modules.set(path, module)
    return module
  }

  function share(path: string, name: string): void {
    const { sources, statements } = open(path)
    const source = sources.get(name)
    if (source !== undefined) {
      if (!isOurs(source)) throw new Error(`${path}: only entry points may refer to ${source}`)
      share(resolve(path, source), name)
      return
    }
    const own = statements.filter((one) => one.declares.includes(name))
    const known = shared.get(name)
    if (own.length === 0 || known?.path === path) return
    if (known) throw new Error(`${name} is declared in ${known.path} and ${path}: rename one`)
    if (entries.includes(path)) throw new Error(`${path}: move ${name} out of the entry point`)
    const texts = own.map(({ text }) => text.replaceAll(INLINE, (_, _source, inline) => inline))
    shared.set(name, { path, text: texts.join('\n') })
    for (const statement of own) shareReferences(path, statement)
  }

  /** Shares the names of other statements and modules that a statement refers to. */
  function shareReferences(path: string, statement: Statement): void {
    const { sources } = open(path)
    const isEntry = entries.includes(path)
    for (const word of statement.words) {
      // What an entry point declares, or has from a package, stays in its own file.
      const stays = isEntry && !isOurs(sources.get(word) ?? '')
      if (!stays) share(path, word)
    }
    for (const [, source = '', name = ''] of statement.text.matchAll(INLINE))
      share(resolve(path, source), name)
  }

  function renderEntry(path: string): string {
    const { statements } = open(path)
    for (const statement of statements) shareReferences(path, statement)
    const from = nameShared(path)
    const lines = [...renderImports(path, from), ...renderExports(path, from)]
    for (const { text } of statements)
      lines.push(text.replaceAll(INLINE, (_, _source, name) => `import("${from}").${name}`))
    return `${lines.join('\n')}\n`
  }

  function renderImports(path: string, from: string): string[] {
    const { statements, sources } = open(path)
    const used = new Set(statements.flatMap(({ words }) => [...words]))
    const imported = new Map<string, string[]>()
    for (const [name, source] of sources) {
      if (!used.has(name)) continue
      const file = isOurs(source) ? from : source
      imported.set(file, [...(imported.get(file) ?? []), name])
    }
    return [...imported].map(
      ([file, names]) => `import type { ${names.join(', ')} } from '${file}';`,
    )
  }

  function renderExports(path: string, from: string): string[] {
    const { exports, wholes } = open(path)
    const exported = new Map(exports)
    for (const name of exports.keys()) share(path, name)
    for (const source of wholes) {
      const whole = resolve(path, source)
      for (const { declares, words } of open(whole).statements) {
        if (!words.has('export')) continue
        for (const name of declares) {
          share(whole, name)
          exported.set(name, `type ${name}`)
        }
      }
    }
    if (exported.size === 0) return []
    return [`export { ${[...exported.values()].join(', ')} } from '${from}';`]
  }

  const files = new Map<string, string>()
  for (const path of entries) files.set(path, renderEntry(path))
  const texts = [...shared.values()].map(({ text }) => text)
  return files.set(SHARED, `${texts.join('\n')}\n`)
}

const isOurs = (source: string): boolean => source.startsWith('.')

function resolve(path: string, source: string): string {
  return posix.join(posix.dirname(path), source.replace(/\.ts$/, ''))
}

/** How an entry point names the shared file. */
function nameShared(path: string): string {
  const relative = posix.relative(posix.dirname(path), SHARED)
  return `${isOurs(relative) ? '' : './'}${relative}.cjs`
}

function parseModule(text: string): Module {
  const sources = new Map<string, string>()
  const exports = new Map<string, string>()
  const wholes: string[] = []
  const statements: Statement[] = []
  let position = 0
  for (const node of parseAst(text, { lang: 'dts' }).body) {
    const own = text.slice(position, node.end)
    position = node.end
    if (node.type === 'ImportDeclaration') {
      for (const { local } of node.specifiers) sources.set(local.name, node.source.value)
    } else if (node.type === 'ExportNamedDeclaration' && !node.declaration) {
      for (const specifier of node.specifiers) {
        const name = nameOf(specifier.exported)
        const isType = node.exportKind === 'type' || specifier.exportKind === 'type'
        if (node.source) sources.set(name, node.source.value)
        exports.set(name, isType ? `type ${name}` : name)
      }
    } else if (node.type === 'ExportAllDeclaration') {
      wholes.push(node.source.value)
    } else {
      const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node
      const declares = namesOf(declaration as unknown as Declaration)
      const code = own.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(INLINE, '')
      statements.push({ text: own.trim(), declares, words: new Set(code.match(/[\w$]+/g)) })
    }
  }
  return { statements, sources, exports, wholes }
}

/** Any declaration, as far as its names are concerned. */
interface Declaration {
  readonly id?: { readonly name?: string }
  readonly declarations?: readonly { readonly id: { readonly name: string } }[]
}

function namesOf({ id, declarations = [] }: Declaration): string[] {
  const names = declarations.map((one) => one.id.name)
  return id?.name === undefined ? names : [id.name, ...names]
}

const nameOf = (node: { name: string } | { value: string }) =>
  'name' in node ? node.name : node.value
