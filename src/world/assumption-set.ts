// The assumptions that a response depends on, as bits in the order of their table.
import { type AssumptionId, assumptions } from '../contract/generated/contract.ts'

const bits = /* @__PURE__ */ numberBits()

function numberBits(): Readonly<Record<AssumptionId, number>> {
  const numbered = assumptions.map(({ id }, index) => [id, 1 << index])
  return Object.fromEntries(numbered)
}

/** Nearly every run depends on these two, so rows do not name them. Coverage counts them. */
export const USUAL_ASSUMPTIONS = /* @__PURE__ */ collectAssumptions([
  'error-codes',
  'unknown-category',
])

export function dependOn(context: { assumptions: number }, assumption: AssumptionId): void {
  context.assumptions |= bits[assumption]
}

/** Those that a row names. */
export function nameAssumptions(set: number): AssumptionId[] {
  return listAll(set & ~USUAL_ASSUMPTIONS)
}

export function listAll(set: number): AssumptionId[] {
  const listed: AssumptionId[] = []
  for (const { id } of assumptions) {
    if (set & bits[id]) listed.push(id)
  }
  return listed
}

export function collectAssumptions(ids: readonly AssumptionId[]): number {
  let set = 0
  for (const id of ids) set |= bits[id]
  return set
}
