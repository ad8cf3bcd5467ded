import { expect, it } from 'vitest'
import type { TimelineRow } from '../../world/row.ts'
import { findNearest, findRowAt, listPauses, listTimes, placeBefore, placeRows } from './strip.ts'

const START = Date.parse('2030-01-01T10:00:00.000Z')

/** Rows newest first, from the times between them. */
function createRows(pausesMs: readonly number[]): TimelineRow[] {
  let at = START
  const rows = pausesMs.map((pauseMs, index) => {
    at += pauseMs
    const realAt = new Date(at).toISOString()
    return { id: index + 1, type: 'request', status: 200, outcome: 'sent', realAt }
  })
  return rows.reverse() as unknown as TimelineRow[]
}

it('places rows in their order, further apart the longer the pause, and all within the width', () => {
  const placed = placeRows(createRows([0, 10, 1_000, 60_000, 10]), 500)
  expect(placed.map(({ row }) => row.id)).toEqual([1, 2, 3, 4, 5])
  const rooms = placed.slice(1).map(({ room }) => room)
  const [short = 0, second = 0, minute = 0, last = 0] = rooms
  expect(short).toBe(last)
  expect(second).toBeGreaterThan(short)
  expect(minute).toBeGreaterThan(second)
  expect(placed.at(-1)?.x).toBeLessThan(500)
})

it('a row whose clock went back is not placed before the one before it', () => {
  const [first, second] = placeRows(createRows([0, -5_000]), 500)
  expect(second?.x).toBeGreaterThan(first?.x ?? 0)
})

it('the moment before a row is between it and the one before, and right of all is now', () => {
  const placed = placeRows(createRows([0, 10, 10]), 300)
  const [, second, third] = placed
  const x = placeBefore(placed, 3, 300)
  expect(x).toBeGreaterThan(second?.x ?? 0)
  expect(x).toBeLessThan(third?.x ?? 0)
  expect(findRowAt(placed, x)?.id).toBe(3)
  expect(placeBefore(placed, undefined, 300)).toBe(300)
  expect(findRowAt(placed, 300)).toBeUndefined()
  expect(findNearest(placed, 0)?.id).toBe(1)
})

it('says each second once where there is room, and how long nothing happened', () => {
  const placed = placeRows(createRows([0, 10, 10, 420_000, 10]), 800)
  expect(listTimes(placed, 800).map(({ text }) => text)).toEqual(['10:00:00', '10:07:00'])
  expect(listPauses(placed).map(({ text }) => text)).toEqual(['7 min'])
})
