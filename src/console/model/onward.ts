// What would have been: the rows since the moment that would differ under what you suppose there.
import type { Onward, OnwardRow, WhatIfChange } from '../../control/control.ts'
import { isChange, isLoad, type RequestRow, type TimelineRow } from '../../world/row.ts'
import { control } from './connection.ts'
import { readRows, sayRefusal } from './mock.ts'
import { currentMoment } from './moment.ts'
import { watch } from './resources.ts'
import { currentSandbox, route } from './route.ts'

export type Would = NonNullable<Extract<OnwardRow, { type: 'request' }>['would']>

/** Undefined without a supposition, and until the mock has answered; a text if it refuses. */
export function readOnward(): Onward | string | undefined {
  const moment = currentMoment()
  if (!moment?.change) return undefined
  const { before, change } = moment
  const sandbox = currentSandbox()
  return watch('onward', sandbox, `${before} ${route.value.query.if}`, () =>
    askOnward(sandbox, before, change),
  )
}

function askOnward(sandbox: string | null, before: number, change: WhatIfChange) {
  return control(sandbox)
    .whatIf(before, { ...change, onward: true })
    .catch(sayRefusal)
}

/** By the ids of the rows. */
let byId: ReadonlyMap<number, OnwardRow> = new Map()
let indexed: Onward | undefined

export function findOnward(row: TimelineRow): OnwardRow | undefined {
  const onward = readOnward()
  if (typeof onward !== 'object') return undefined
  if (onward !== indexed) {
    indexed = onward
    byId = new Map(onward.rows.map((one) => [one.id, one]))
  }
  return byId.get(row.id)
}

/** The response that a request would have got, if that differs. */
export function findWould(row: RequestRow): Would | undefined {
  const found = findOnward(row)
  const isOther = found?.type === 'request' && found.differs !== null
  return isOther ? (found.would ?? undefined) : undefined
}

/** The rows that the supposition could change: from the moment on, until both lines meet again. */
export function findWindow(): { readonly from: number; readonly to: number } | undefined {
  const moment = currentMoment()
  if (!moment?.change) return undefined
  const { before } = moment
  const rows = readRows() ?? []
  const meeting = rows.findLast((row) => row.id >= before && isChange(row) && isLoad(row))
  return { from: before, to: meeting?.id ?? Number.MAX_SAFE_INTEGER }
}
