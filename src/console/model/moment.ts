// The moment at which the page looks: now, or just before a row, perhaps with a change that is only
// supposed. Both are parts of the address.
import { toJson, tryJson } from '../../contract/int64-json.ts'
import { isPlainObject } from '../../contract/values.ts'
import { checkCall } from '../../control/check-call.ts'
import type { WhatIfChange } from '../../control/control.ts'
import type { TimelineRow } from '../../world/row.ts'
import { adjust, route } from './route.ts'

/** `before` is the id of a row. */
export type Moment = { readonly before: number; readonly change: WhatIfChange | undefined }

/** Undefined for now. */
export function currentMoment(): Moment | undefined {
  const before = Number(route.value.query.at)
  if (!Number.isSafeInteger(before) || before < 1) return undefined
  return { before, change: parseChange(route.value.query.if) }
}

/** The same value for the same text, so that views can compare it. */
let parsed: { readonly text: string; readonly change: WhatIfChange | undefined } | undefined

function parseChange(text = ''): WhatIfChange | undefined {
  if (parsed?.text !== text) {
    parsed = { text, change: checkChange(tryJson(text)) }
  }
  return parsed.change
}

/** Undefined for what the mock would refuse: anybody can write an address. */
function checkChange(value: unknown): WhatIfChange | undefined {
  if (!isPlainObject(value)) return undefined
  try {
    checkCall('makeReal', { id: 1, ...value })
    return value
  } catch {
    return undefined
  }
}

/** The page shows one sandbox, since each has moments of its own. */
export function lookAt(row: Pick<TimelineRow, 'id' | 'sandbox'>, change?: WhatIfChange): void {
  const supposed = change ? toJson(change) : ''
  adjust({ query: { at: String(row.id), if: supposed, sandbox: row.sandbox ?? '' } })
}

/** Keeps the moment. */
export function suppose(change: WhatIfChange): void {
  const isEmpty = Object.keys(change).length === 0
  adjust({ query: { if: isEmpty ? '' : toJson(change) } })
}

export function leaveMoment(): void {
  adjust({ query: { at: '', if: '' } })
}
