// The removal of a deprecated operation: when it happens by the mock's clock, and how it is announced before.
import { ApiError } from '../contract/errors.ts'
import { contract, type OperationId } from '../generated/contract.ts'
import { dependOn } from '../operations/operation.ts'
import { addNote } from '../world/journal-entry.ts'
import type { Progress } from './progress.ts'
import type { OperationContract } from './route.ts'

const DAY = 86_400_000

/** The operations that have an end, with the beginning of its day. */
const ends = new Map<OperationId, { day: number; httpDate: string }>()
for (const { operationId, sunset } of Object.values(contract.operations)) {
  if (sunset !== null) ends.set(operationId, { day: Date.parse(sunset), httpDate: new Date(sunset).toUTCString() })
}

/** Refuses an operation that has been removed; announces the end of one that will be, with the Sunset field (RFC 8594). */
export function checkRemoval({ operationId, sunset }: OperationContract, progress: Progress): void {
  const { world, realAt, headers } = progress
  const end = ends.get(operationId)
  if (!end) return
  const now = world.clock.now(realAt)
  // Only on the day itself do the two readings of the removal date differ.
  if (now >= end.day && now < end.day + DAY) dependOn(progress, 'removal-instant')
  if (now >= (world.choices['removal-instant'] === 'end-of-day' ? end.day + DAY : end.day)) {
    const message = `${operationId} is no longer available; it was removed on ${sunset}`
    addNote(progress, message)
    throw new ApiError(world.choices['removed-answer'] === 'gone' ? 410 : 404, message, { assumption: 'removed-answer' })
  }
  dependOn(progress, 'sunset-header')
  if (world.choices['sunset-header'] === 'sunset') headers.Sunset = end.httpDate
}
