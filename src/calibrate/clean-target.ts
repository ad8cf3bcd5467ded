// The target of a request with the paths, parameters and values of the contract. Another path, id
// or value becomes one that gets the same response.
import type { QueryParameters } from '../contract/address.ts'
import { contract, type OperationContract } from '../contract/generated/contract.ts'
import type { Schema } from '../contract/schema.ts'
import { PAGERS } from '../service/parse-input.ts'
import { findRoute } from '../service/route.ts'
import { parseParameters, parseTarget } from '../service/target.ts'
import { cleanParameter } from './clean-value.ts'
import type { RawExchange } from './exchange.ts'

export const UNKNOWN_PATH = `${contract.basePath}/unknown`
/** A target that the engine refuses, as it refuses the one that was sent. */
const INVALID_TARGET = '/%'

interface CleanTarget {
  readonly target: string
  /** Undefined for a path or method that the contract does not have. */
  readonly operation: OperationContract | undefined
}

type Sent = Pick<RawExchange, 'method' | 'target'>

export function cleanTarget(sent: Sent, dropped: { parameters: number }): CleanTarget {
  try {
    return cleanValid(sent, dropped)
  } catch {
    return { target: INVALID_TARGET, operation: undefined }
  }
}

function cleanValid({ method, target }: Sent, dropped: { parameters: number }): CleanTarget {
  const { path, query } = parseTarget(target)
  const sent = parseParameters(query)
  const route = findRoute(path)
  const [first] = route?.rows ?? []
  if (!route || !first) {
    dropped.parameters += sent.length
    return { target: UNKNOWN_PATH, operation: undefined }
  }
  const asked = method === 'HEAD' ? 'GET' : method
  const operation = route.rows.find((row) => row.method === asked)
  let cleaned: string = first.path
  for (const [name, value] of Object.entries(route.params)) {
    const schema = findSchema(operation ?? first, name)
    cleaned = cleaned.replace(`{${name}}`, cleanParameter(schema ?? {}, value) || 'x')
  }
  const kept = cleanQuery(sent, operation)
  dropped.parameters += sent.length - kept.length
  return { target: kept.length === 0 ? cleaned : `${cleaned}?${kept.join('&')}`, operation }
}

function cleanQuery(sent: QueryParameters, operation: OperationContract | undefined): string[] {
  const kept: string[] = []
  for (const [name, value] of sent) {
    const schema = operation && findSchema(operation, name)
    if (schema) kept.push(`${name}=${cleanParameter(schema, value)}`)
    else if (PAGERS.includes(name)) kept.push(`${name}=1`)
  }
  return kept
}

function findSchema(operation: OperationContract, name: string): Schema | undefined {
  const parameters: readonly { readonly name: string; readonly schema: Schema }[] =
    operation.parameters
  return parameters.find((one) => one.name === name)?.schema
}
