// Finds the route of a path: for the service among the operations of the contract, for the control
// API among its methods.
import { ApiError } from '../contract/errors.ts'
import { ADDED_FIELDS } from './added-fields.ts'

interface RouteRow {
  readonly method: string
  /** `/v1/pets/{petId}`: a name in braces stands for any text. */
  readonly path: string
}

export interface Route<Row> {
  /** All rows with this path. */
  readonly rows: readonly Row[]
  /** The value of the header field Allow. */
  readonly allow: string
  /** The texts in place of the names in braces. */
  readonly params: Readonly<Record<string, string>>
}

interface Template<Row> extends Pick<Route<Row>, 'rows' | 'allow'> {
  readonly segments: readonly Segment[]
}

/** Of a template: a text, or a name that stands for any text. */
interface Segment {
  readonly text: string
  readonly isName: boolean
}

/** Segments are decoded one by one, so that an encoded slash separates nothing. */
export function createRouter<Row extends RouteRow>(
  rows: readonly Row[],
  decodeSegment: (segment: string) => string,
) {
  const fixed = new Map<string, Route<Row>>()
  const templates: Template<Row>[] = []
  for (const path of new Set(rows.map((row) => row.path))) {
    const here = rows.filter((row) => row.path === path)
    const allow = describeAllow(here)
    templates.push({ segments: path.split('/').map(readSegment), rows: here, allow })
    if (!path.includes('{')) fixed.set(path, { rows: here, allow, params: {} })
  }

  return function findRoute(path: string): Route<Row> | undefined {
    // Most requests are for a path without parameters.
    const route = fixed.get(path)
    if (route) return route
    const isEncoded = path.includes('%')
    // Refuses invalid encoding, even if no template has as many segments.
    if (isEncoded) decodeSegment(path)
    for (const { segments, rows, allow } of templates) {
      const params = readParams(segments, path, isEncoded ? decodeSegment : undefined)
      if (params) return { rows, allow, params }
    }
    return undefined
  }
}

function readSegment(text: string): Segment {
  const isName = text.startsWith('{')
  return { text: isName ? text.slice(1, -1) : text, isName }
}

/** Undefined if the path is not of this form. */
function readParams(
  segments: readonly Segment[],
  path: string,
  decodeSegment: ((segment: string) => string) | undefined,
): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  let start = 0
  for (const { text, isName } of segments) {
    if (start > path.length) return undefined
    const slash = path.indexOf('/', start)
    const end = slash < 0 ? path.length : slash
    const sent = path.slice(start, end)
    const segment = decodeSegment ? decodeSegment(sent) : sent
    if (isName && segment !== '') params[text] = segment
    else if (isName || segment !== text) return undefined
    start = end + 1
  }
  return start > path.length ? params : undefined
}

/** HEAD comes with GET. */
export function listMethods(rows: readonly { readonly method: string }[]): string[] {
  const methods = new Set<string>()
  for (const { method } of rows) {
    methods.add(method)
    if (method === 'GET') methods.add('HEAD')
  }
  return [...methods]
}

/** OPTIONS comes with every path. */
export function describeAllow(rows: readonly { readonly method: string }[]): string {
  return [...listMethods(rows), 'OPTIONS'].join(', ')
}

export function throwNotAllowed(method: string, path: string, allow: string): never {
  const message = `${method} is not allowed on ${path}; allowed: ${allow}`
  throw new ApiError(405, message, { headers: { [ADDED_FIELDS.allow]: allow } })
}
