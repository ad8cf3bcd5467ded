// Every mutant of the sources at once: Stryker's instrumenter writes each one into the code behind a switch.
import { readFileSync } from 'node:fs'
import { createInstrumenter } from '@stryker-mutator/instrumenter'
import { createInjector } from 'typed-inject'

export interface Mutant {
  readonly id: string
  /** From the root of the repository. */
  readonly file: string
  readonly line: number
  readonly column: number
  readonly range: { readonly start: Position; readonly end: Position }
  /** The kind of change, such as `ConditionalExpression`. */
  readonly mutator: string
  readonly original: string
  readonly replacement: string
}

export interface Instrumented {
  readonly mutants: readonly Mutant[]
  /** The switched text of each file, by its path from the root. */
  readonly texts: ReadonlyMap<string, string>
}

const silent = new Proxy({}, { get: (_, name) => (String(name).startsWith('is') ? () => false : () => {}) })

/** Writes every mutant of the files into them, or only those that are given (and what lies within them). */
export async function instrument(root: string, files: readonly string[], only?: readonly Mutant[]): Promise<Instrumented> {
  const injector = createInjector()
    .provideValue('logger', silent)
    .provideValue('getLogger', () => silent)
  // The options are those of the whole of Stryker; these are the ones that the instrumenter reads.
  const instrumenter = createInstrumenter(injector as never)
  const sources = files.map((file) => ({
    name: file,
    content: withoutCasts(readFileSync(root + file, 'utf8')),
    mutate: only?.filter((mutant) => mutant.file === file).map(({ range }) => range) ?? true,
  }))
  const result = await instrumenter.instrument(sources, { plugins: null, excludedMutations: [], ignorers: [], noHeader: false })
  const contents = new Map(sources.map(({ name, content }) => [name, content.split('\n')]))
  return {
    texts: new Map(result.files.map(({ name, content }) => [name, withQuickCounts(content)])),
    mutants: result.mutants.map(({ id, fileName, location: { start, end }, mutatorName, replacement }) => ({
      id,
      file: fileName,
      line: start.line + 1,
      column: start.column + 1,
      range: { start, end },
      mutator: mutatorName,
      original: cut(contents.get(fileName) as string[], start, end),
      replacement,
    })),
  }
}

/** Stryker's own way of counting what is reached takes longer than the code itself, and counts while mutants are tried as well. */
const COUNT = `function stryCov_9fa48(...ids: number[]) {
  const ns = stryNS_9fa48() as any
  if (ns.activeMutant !== undefined) return
  const reached = (ns.reached ??= {})
  for (let index = 0; index < ids.length; index++) reached[ids[index] as number] = (reached[ids[index] as number] ?? 0) + 1
}
`

function withQuickCounts(text: string): string {
  return text
    .replace(/^function stryCov_9fa48\(\) \{[\s\S]*?^\}\n/m, COUNT)
    .replace(/\bstryCov_9fa48\("[\d", ]*"\)/g, (call) => call.replaceAll('"', ''))
}

/** The instrumenter loses the parentheses of `(a as B) < c` and `(a as B)++`, which are not TypeScript without them. */
function withoutCasts(text: string): string {
  return text.replace(/ as [\w.]+(?=\)(?: <|\+\+))/g, (cast) => ' '.repeat(cast.length))
}

interface Position {
  readonly line: number
  readonly column: number
}

function cut(lines: readonly string[], start: Position, end: Position): string {
  const part = lines.slice(start.line, end.line + 1)
  part[part.length - 1] = (part.at(-1) ?? '').slice(0, end.column)
  part[0] = (part[0] ?? '').slice(start.column)
  return part.join('\n')
}
