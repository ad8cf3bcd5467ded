// Our TypeScript as the bundler's parser reads it: what a file exports and imports, and the doc
// comments in it.
import { readFileSync } from 'node:fs'
import { type ESTree, parseSync, Visitor } from 'rolldown/utils'

/** A field or method of an interface or class. */
export interface Member {
  readonly name: string
  /** Without its `@default`. */
  readonly comment: string
  /** What its comment says after `@default`. */
  readonly default?: string | undefined
  /** The type of a field, or what a method returns, as the source has it. */
  readonly type: string
  /** The parameters of a method: `id`, or `id?`. */
  readonly parameters?: readonly string[] | undefined
  readonly isOptional: boolean
}

export interface Exported {
  readonly name: string
  readonly comment: string
  readonly members: readonly Member[]
}

export interface SourceFile {
  /** Its own exports, in their order. */
  readonly exported: readonly Exported[]
  /** Names that it exports from another module. */
  readonly passedOn: readonly { readonly name: string; readonly from: string }[]
  /** Every field and method of a type or class, in the order of the text. */
  readonly members: readonly Member[]
  /** The fields and methods of each interface or object type, exported or not. */
  readonly interfaces: Readonly<Record<string, readonly Member[]>>
  readonly imports: readonly string[]
  readonly typeImports: readonly string[]
}

interface Range {
  readonly start: number
  readonly end: number
}

/** What the parser calls a field or method, as far as it is read here. */
interface MemberNode extends Range {
  readonly key: Range
  readonly optional?: boolean
  readonly typeAnnotation?: { readonly typeAnnotation: Range } | null
  readonly returnType?: { readonly typeAnnotation: Range } | null
  readonly params?: readonly Range[]
}

/**
 * Where the fields of an object type begin: of `{ … }`, `Readonly<{ … }>` or the parts of `A & { …
 * }`.
 */
function fieldsOf(type: ESTree.TSType): number[] {
  if (type.type === 'TSTypeLiteral') return type.members.map((member) => member.start)
  if (type.type === 'TSIntersectionType') return type.types.flatMap(fieldsOf)
  return type.type === 'TSTypeReference' ? (type.typeArguments?.params.flatMap(fieldsOf) ?? []) : []
}

/** The text of a doc comment, whose lines begin with a star, in one line. */
const unwrapComment = (comment: string): string =>
  comment.replace(/(?:^|\s*\n\s*)\* ?/g, ' ').trim()

/**
 * A type in one line. Where the formatter has broken it between two fields, a semicolon is missing.
 */
function unwrapType(type: string): string {
  return type.replace(/(?<=(\S))\s*\n\s*(?=(\S))/g, (_, before: string, after: string) => {
    const isBetweenFields = !'{(<[,|&'.includes(before) && !'})>]|&'.includes(after)
    return isBetweenFields ? '; ' : ' '
  })
}

export const readSource = (path: string): SourceFile =>
  parseSource(path, readFileSync(path, 'utf8'))

export function parseSource(path: string, text: string): SourceFile {
  const { program, module, comments, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  const commentBefore = (start: number) => {
    const last = comments.findLast(({ end }) => end <= start)
    if (!last?.value.startsWith('*') || text.slice(last.end, start).trim() !== '') return ''
    return unwrapComment(last.value.slice(1))
  }
  const exported: { name: string; start: number; members: readonly number[] }[] = []
  const members: (Member & { start: number })[] = []
  const interfaces: Record<string, readonly number[]> = {}
  const imports: string[] = []
  const typeImports: string[] = []
  const addImport = (module: string, kind?: 'type' | 'value' | null) =>
    (kind === 'type' ? typeImports : imports).push(module)
  const textOf = (node?: Range | null) => (node ? text.slice(node.start, node.end) : '')
  const addMember = ({ start, key, optional, typeAnnotation, returnType, params }: MemberNode) => {
    const [comment = '', preset] = commentBefore(start).split(/\s*@default\s+/)
    const type = unwrapType(textOf((typeAnnotation ?? returnType)?.typeAnnotation))
    const parameters = params?.map((one) => textOf(one).replace(/(\??):[\s\S]*$/, '$1'))
    members.push({
      name: textOf(key),
      comment,
      default: preset,
      type,
      parameters,
      isOptional: optional === true,
      start,
    })
  }
  const membersAt = (starts: readonly number[]) =>
    members.filter(({ start }) => starts.includes(start))
  new Visitor({
    TSInterfaceDeclaration({ id, body }) {
      interfaces[id.name] = body.body.map((member) => member.start)
    },
    TSTypeAliasDeclaration({ id, typeAnnotation }) {
      interfaces[id.name] = fieldsOf(typeAnnotation)
    },
    ExportNamedDeclaration({ declaration, source, exportKind, start }) {
      if (source) addImport(source.value, exportKind)
      if (!declaration) return
      const hasMembers =
        declaration.type === 'TSInterfaceDeclaration' || declaration.type === 'ClassDeclaration'
      const members = hasMembers ? declaration.body.body.map((member) => member.start) : []
      const declared =
        'declarations' in declaration
          ? declaration.declarations.map(({ id }) => id)
          : [declaration.id]
      for (const id of declared)
        if (id && 'name' in id) exported.push({ name: String(id.name), start, members })
    },
    ExportAllDeclaration: ({ source, exportKind }) => void addImport(source.value, exportKind),
    ImportDeclaration: ({ source, importKind }) => void addImport(source.value, importKind),
    ImportExpression({ source }) {
      if (source.type !== 'Literal') throw new Error(`${path}: an import of a computed module`)
      addImport(String(source.value))
    },
    TSImportType: ({ source }) => void addImport(source.value, 'type'),
    TSPropertySignature: addMember,
    TSMethodSignature: addMember,
    PropertyDefinition: addMember,
    MethodDefinition: addMember,
  }).visit(program)
  return {
    exported: exported.map((one) => ({
      name: one.name,
      comment: commentBefore(one.start),
      members: membersAt(one.members),
    })),
    passedOn: module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, importName }) =>
        moduleRequest && importName.name
          ? [{ name: importName.name, from: moduleRequest.value }]
          : [],
      ),
    ),
    members,
    interfaces: Object.fromEntries(
      Object.entries(interfaces).map(([name, starts]) => [name, membersAt(starts)]),
    ),
    imports,
    typeImports,
  }
}
