// The day on which an operation is removed, by its `x-sunset` in the spec.
import { ApiError } from '../contract/errors.ts'
import { contract, type OperationContract } from '../contract/generated/contract.ts'
import { dependOn } from '../world/assumption-set.ts'
import { DAY_MS } from '../world/clock.ts'
import { ADDED_FIELDS } from './added-fields.ts'
import { addHeader, type Context } from './context.ts'

interface Removal {
  /** The beginning of the day. */
  readonly start: number
  /** The Sunset field that announces it (RFC 8594). */
  readonly field: string
}

/** By their dates: to parse and print a date takes a tenth of the time of a response. */
const removals = readRemovals()

function readRemovals(): ReadonlyMap<string, Removal> {
  const found = new Map<string, Removal>()
  for (const { sunset } of Object.values<OperationContract>(contract.operations)) {
    if (sunset === null) continue
    found.set(sunset, { start: Date.parse(sunset), field: new Date(sunset).toUTCString() })
  }
  return found
}

/** Refuses an operation that has been removed, and announces the end of one that will be. */
export function checkRemoval(operation: OperationContract, context: Context, now: number): void {
  const { operationId, sunset } = operation
  const removal = sunset === null ? undefined : removals.get(sunset)
  if (!removal) return
  const { choices } = context.state
  const { start, field } = removal
  const end = start + DAY_MS
  // Only on the day itself do the two readings of the removal date differ.
  if (now >= start && now < end) dependOn(context, 'removal-instant')
  const instant = choices['removal-instant'] === 'end-of-day' ? end : start
  if (now >= instant) {
    const status = choices['removed-answer'] === 'gone' ? 410 : 404
    const message = `${operationId} is no longer available; its removal date was ${sunset}`
    throw new ApiError(status, message, { assumption: 'removed-answer' })
  }
  dependOn(context, 'sunset-header')
  if (choices['sunset-header'] === 'sunset') addHeader(context, ADDED_FIELDS.sunset, field)
}
