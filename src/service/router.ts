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
  /** The segments of the path, parameters in braces. */
  readonly names: readonly string[]
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
    templates.push({ names: path.split('/'), rows: here, allow })
    if (!path.includes('{')) fixed.set(path, { rows: here, allow, params: {} })
  }

  return function findRoute(path: string): Route<Row> | undefined {
    // Most requests are for a path without parameters.
    const route = fixed.get(path)
    if (route) return route
    const sent = path.split('/')
    const segments = path.includes('%') ? sent.map(decodeSegment) : sent
    for (const { names, rows, allow } of templates) {
      const params = readParams(names, segments)
      if (params) return { rows, allow, params }
    }
    return undefined
  }
}

/** Undefined if the path is not of this form. */
function readParams(names: readonly string[], segments: readonly string[]) {
  if (names.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (let index = 0; index < segments.length; index++) {
    const name = names[index] as string
    const segment = segments[index] as string
    if (name.startsWith('{') && segment !== '') params[name.slice(1, -1)] = segment
    else if (name !== segment) return undefined
  }
  return params
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
