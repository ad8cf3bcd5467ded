// The speed of a slow response, as people write it.
import type { Schema } from '../../contract/schema.ts'
import type { Speed } from '../../world/faults.ts'

const SPEED = /^([1-9]\d{0,8}(?:\.\d{1,3})?)([kM]?)B\/s$/
const FACTORS: Readonly<Record<string, number>> = { '': 1, k: 1_000, M: 1_000_000 }

export const speedSchema: Schema = {
  oneOf: [
    { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'string', pattern: SPEED.source },
  ],
  title: 'a speed such as 2kB/s or 500B/s',
}

/** In bytes a second. It reads what was checked. */
export function parseSpeed(given: Speed): number {
  if (typeof given === 'number') return given
  const [, amount, unit = ''] = SPEED.exec(given) ?? []
  return Math.round(Number(amount) * (FACTORS[unit] ?? 1))
}
