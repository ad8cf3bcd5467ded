// How long a list is if its reader does not say. A page of animals has its own limit, in `pets.ts`.
import { DEFAULT_LIMIT, MAX_LOG_ROWS } from '../contract/limits.ts'
import type { Input, MethodRow } from './method-row.ts'
import { meansAllSandboxes } from './protocol.ts'

/** In code, in this process or with `connect`: all rows of a state; of all sandboxes, the last. */
export function usualRowLimit(sandbox: string | undefined): number {
  return meansAllSandboxes(sandbox) ? MAX_LOG_ROWS : Number.MAX_SAFE_INTEGER
}

/** Over HTTP and for agents, of whatever has a limit: others wait while a list is made. */
export function withLimit(row: MethodRow, given: Input, limit = DEFAULT_LIMIT): Input {
  if (!row.input?.limit || Object.hasOwn(given, 'limit')) return given
  return { ...given, limit }
}
