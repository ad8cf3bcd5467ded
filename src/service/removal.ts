// The removal of an operation, by the day that the contract names.
import { ApiError } from '../contract/errors.ts'
import { contract } from '../generated/contract.ts'
import { dependOn } from '../world/row.ts'
import { addHeader, type Recorder } from './recorder.ts'
import type { OperationContract } from './route.ts'

const DAY_MS = 86_400_000

/** The days of removal with their Sunset fields: to parse and print a date takes a tenth of the time of a response. */
const REMOVALS = new Map<string | null, { readonly day: number; readonly field: string }>(
  Object.values(contract.operations).flatMap(({ sunset }) =>
    sunset === null ? [] : [[sunset, { day: Date.parse(sunset), field: new Date(sunset).toUTCString() }]],
  ),
)

/** Refuses an operation that has been removed; announces the end of one that will be, with the Sunset field (RFC 8594). */
export function checkRemoval({ operationId, sunset }: OperationContract, recorder: Recorder, now: number): void {
  const removal = REMOVALS.get(sunset)
  if (!removal) return
  const { choices } = recorder.state
  const { day, field } = removal
  // Only on the day itself do the two readings of the removal date differ.
  if (now >= day && now < day + DAY_MS) dependOn(recorder, 'removal-instant')
  if (now >= (choices['removal-instant'] === 'end-of-day' ? day + DAY_MS : day)) {
    const message = `${operationId} is no longer available; it was removed on ${sunset}`
    throw new ApiError(choices['removed-answer'] === 'gone' ? 410 : 404, message, { assumption: 'removed-answer' })
  }
  dependOn(recorder, 'sunset-header')
  if (choices['sunset-header'] === 'sunset') addHeader(recorder, 'Sunset', field)
}
