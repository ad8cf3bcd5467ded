// The default length of a list. Pages of animals have their own, in `pets.ts`.
import { DEFAULT_LIMIT, MAX_LOG_ROWS } from '../contract/limits.ts'
import type { Input, MethodRow } from './method-row.ts'
import { meansAllSandboxes } from './protocol.ts'

/** For code, here or with `connect`: all rows of a state, or the last of all sandboxes. */
export function usualRowLimit(sandbox: string | undefined): number {
  return meansAllSandboxes(sandbox) ? MAX_LOG_ROWS : Number.MAX_SAFE_INTEGER
}

/** Over HTTP and for agents, since other clients wait while a list is made. */
export function withLimit(row: MethodRow, given: Input, limit = DEFAULT_LIMIT): Input {
  if (!row.input?.limit || Object.hasOwn(given, 'limit')) return given
  return { ...given, limit }
}
