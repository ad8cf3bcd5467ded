// A call of a control method as a request of the control API.
import { isNameAlone } from '../../world/scenario.ts'
import { checkCall } from '../check-call.ts'
import type { ControlMethod, RequestFilter } from '../control.ts'
import { usualRowLimit } from '../list-limits.ts'
import type { Input, MethodRow } from '../method-row.ts'
import { methods } from '../methods.ts'

/** `target` is below the path of the control API. */
export type ControlRequest = Readonly<{ route: MethodRow; target: string; body?: unknown }>

export function requestFor(
  name: ControlMethod,
  given: Input = {},
  sandbox?: string,
): ControlRequest {
  const input: Input & RequestFilter = checkCall(name, given)
  if (name === 'load' && isNameAlone(input.scenario)) {
    const scenario = { ...input.scenario, pets: [] }
    return toRequest(methods.load, { scenario }, sandbox)
  }
  if (!hasRows(name)) return toRequest(methods[name], input, sandbox)
  // The control API has a default limit, which a client must not inherit.
  const limit = input.limit ?? usualRowLimit(input.sandbox ?? sandbox)
  return toRequest(methods[name], { ...input, limit }, sandbox)
}

export function hasRows(name: ControlMethod): boolean {
  return name === 'requests' || name === 'timeline'
}

export function toRequest(
  route: MethodRow,
  input: Input,
  sandbox: string | undefined,
): ControlRequest {
  const { id, ...others } = input
  const hasId = route.path.includes('{id}')
  const path = route.path.replace('{id}', encodeURIComponent(String(id)))
  const { query, body } = placeArguments(route, hasId ? others : { id, ...others })
  const parameters = renderQuery(route.isGlobal ? { ...query } : { sandbox, ...query })
  const target = parameters === '' ? path : `${path}?${parameters}`
  return { route, target, body }
}

function placeArguments(route: MethodRow, input: Input): { query?: Input; body?: unknown } {
  if (route.method === 'GET' || route.method === 'DELETE') return { query: input }
  if (route.body !== undefined) {
    const { [route.body]: body, ...query } = input
    return { query, body }
  }
  return route.args ? { body: input } : {}
}

function renderQuery(query: Input): string {
  const parameters: string[] = []
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.push(`${name}=${encodeURIComponent(String(value))}`)
  }
  return parameters.join('&')
}
