// An id that a client has probably rounded: a JavaScript number holds no more than 53 bits.
import { splitQuery } from '../contract/address.ts'
import type { Int64 } from '../contract/generated/contract.ts'
import { normalizeInt64, parseInt64 } from '../contract/int64-json.ts'
import { findPetText } from './catalogue.ts'
import type { KeptRequest } from './kept-row.ts'

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)

/** A note about a request for an animal that does not exist. Found when the row is read. */
export function findRoundedId(row: Readonly<KeptRequest>): string | undefined {
  if (row.decidedStatus !== 404 || row.operation === null) return undefined
  const { path } = splitQuery(row.target)
  const sent = parseInt64(path.slice(path.lastIndexOf('/') + 1))
  if (typeof sent !== 'bigint') return undefined
  const exact = findExact(sent, row)
  if (exact === undefined) return undefined
  return `${sent} was sent; ${exact} exists: rounded by the client?`
}

/** An animal whose id is the same number in JavaScript. */
function findExact(sent: bigint, { before }: Readonly<KeptRequest>): Int64 | undefined {
  if (!before) return undefined
  const distance = measureStep(sent)
  for (let id = sent - distance; id <= sent + distance; id++) {
    const known = normalizeInt64(id)
    if (mayBecome(id, sent) && findPetText(before.catalogue, known) !== undefined) return known
  }
  return undefined
}

/** Whether a client that keeps an id as a number sends it as the other one. */
function mayBecome(id: bigint, sent: bigint): boolean {
  const rounded = Number(id)
  const isPrinted = String(rounded) === String(sent)
  return id !== sent && (isPrinted || BigInt(rounded) === sent)
}

/** From one number to the next, around an id: 2 above 2^53, and 1,024 below 2^63. */
function measureStep(id: bigint): bigint {
  let step = 1n
  let size = id < 0n ? -id : id
  while (size > MAX_SAFE) {
    size /= 2n
    step *= 2n
  }
  return step
}
