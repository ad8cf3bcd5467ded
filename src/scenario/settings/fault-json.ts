// Whether the free values of a fault can be kept, and how long they are.
import { JsonError, parseJson, toJson } from '../../contract/int64-json.ts'
import { MAX_DOCUMENT_KEYS, MAX_FAULT_BODY_DEPTH } from '../../contract/limits.ts'
import { describeValue } from '../../contract/values.ts'

/**
 * Why a saved state could not be read with this value in it: half a surrogate pair, too many keys
 * or levels.
 */
export function findJsonFlaw(value: unknown): string | undefined {
  const most = { depth: MAX_FAULT_BODY_DEPTH, keys: MAX_DOCUMENT_KEYS }
  try {
    parseJson(toJson(value), undefined, most)
    return undefined
  } catch (error) {
    // A value that contains itself is too large for the stack.
    return error instanceof JsonError ? error.problem.found : describeValue(value)
  }
}

export function printedLength(value: unknown): number {
  return toJson(value).length
}
