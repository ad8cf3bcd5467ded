// Why a source shows nothing about a question, where it is not meant to.
import { type AssumptionId, assumptions, contract } from '../contract/generated/contract.ts'
import type { Reasons } from './finding.ts'
import { TIERS, type Tier } from './probe.ts'

const { sunset } = contract.operations.getPet
const ALWAYS: Reasons = {
  'removal-instant': `can be seen on ${sunset} only`,
  'removed-answer': `cannot be seen before ${sunset}`,
}
/** The questions that only a tier of probes asks. */
const ASKED_BY: Readonly<Record<Tier, readonly AssumptionId[]>> = {
  read: [],
  'refused-writes': ['media-type'],
  'create-animal': ['default-status', 'unknown-fields', 'unknown-category'],
}

export function explainTier(tier: Tier): Reasons {
  const reasons: Record<string, string> = { ...ALWAYS }
  for (const further of TIERS.slice(TIERS.indexOf(tier) + 1)) {
    for (const id of ASKED_BY[further]) reasons[id] = `needs --probe ${further}`
  }
  return reasons
}

export function explainTraffic(hasKeys: boolean): Reasons {
  const unasked = Object.fromEntries(assumptions.map(({ id }) => [id, 'no request shows it']))
  const withoutKeys = hasKeys
    ? {}
    : { 'valid-keys': 'the file has no keys: browsers leave them out' }
  return { ...unasked, ...ALWAYS, ...withoutKeys }
}
