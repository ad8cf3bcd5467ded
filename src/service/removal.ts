// The end of a deprecated operation: when it comes by the mock's clock, and how it is announced before.

import { ApiError } from '../contract/errors.ts'
import type { Notes } from './parse-input.ts'
import type { OperationContract } from './route.ts'

const DAY = 86_400_000

/** Refuses an operation that is gone; gives the Sunset field (RFC 8594) of one that will be. */
export function checkRemoval(operation: OperationContract, { world, assumptions, notes }: Notes): string | undefined {
  if (operation.sunset === null) return undefined
  const startOfDay = Date.parse(operation.sunset)
  const now = world.clock.now()
  // Only on the day itself do the two readings of the removal date differ.
  if (now >= startOfDay && now < startOfDay + DAY) assumptions.push('removal-instant')
  const end = world.choices['removal-instant'] === 'end-of-day' ? startOfDay + DAY : startOfDay
  if (now >= end) {
    const message = `${operation.operationId} is no longer available: it was removed on ${operation.sunset}`
    notes.push(message)
    throw new ApiError(world.choices['removed-answer'] === 'gone' ? 410 : 404, message, { assumption: 'removed-answer' })
  }
  if (world.choices['sunset-header'] === 'none') return undefined
  assumptions.push('sunset-header')
  return new Date(startOfDay).toUTCString()
}
