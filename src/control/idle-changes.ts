// The parts of a what-if that cannot matter: an assumption that the response does not depend on, a
// fault that did not apply, another time for an operation that stays.
import { contract } from '../contract/generated/contract.ts'
import { joinWords } from '../contract/problem.ts'
import { nameAssumptions } from '../world/assumption-set.ts'
import type { WhatIf, WhatIfChange } from './control.ts'
import type { KnownRequest } from './known-request.ts'

/** A note for each of these parts, so that "the same response" is not taken for an answer. */
export function describeIdle(row: KnownRequest, would: WhatIf, change: WhatIfChange): string[] {
  const notes: string[] = []
  const assumptions = listIdleAssumptions(row, would, change)
  if (assumptions.length > 0) {
    notes.push(`The response does not depend on ${joinWords(assumptions, 'or')}`)
  }
  const faults = describeIdleFaults(row, change.without)
  if (faults !== undefined) notes.push(faults)
  if (change.at !== undefined && !isRemoved(row) && would.differs === null) {
    notes.push('The response does not depend on the time')
  }
  return notes
}

function listIdleAssumptions(row: KnownRequest, would: WhatIf, change: WhatIfChange): string[] {
  const own = nameAssumptions(row.assumptions)
  const mattered: readonly string[] = [...own, ...would.assumptions]
  return Object.keys(change.assume ?? {}).filter((id) => !mattered.includes(id))
}

function describeIdleFaults(
  row: KnownRequest,
  without: WhatIfChange['without'],
): string | undefined {
  if (without === undefined) return undefined
  if (without === 'faults') return row.faults.length === 0 ? 'No fault applied to it' : undefined
  const idle = without.filter((id) => !row.faults.includes(id))
  return idle.length === 0 ? undefined : `Fault ${joinWords(idle, 'and')} did not apply to it`
}

/** Whether its operation will be removed, which is all that the time decides. */
function isRemoved(row: KnownRequest): boolean {
  return row.operation !== null && Boolean(contract.operations[row.operation].sunset)
}
