// The control method what if: one answer, or all alternatives.
import { misuse } from '../contract/errors.ts'
import { isChange } from '../world/row.ts'
import { listAlternatives } from './alternatives.ts'
import type { WhatIfChange } from './control.ts'
import { describeIdle } from './idle-changes.ts'
import { conflict, type Found, findRow, found, type View } from './view.ts'
import { checkKnown, explainKey, imagineReply } from './what-if.ts'

type Question = WhatIfChange & { readonly id: number; readonly alternatives?: boolean }

export function askWhatIf(view: View, question: Question): Found {
  const { id, alternatives, ...change } = question
  const { row } = findRow(view, id)
  if (isChange(row)) throw conflict(`Row ${id} is a change, and only requests get responses`)
  const known = checkKnown(row, change)
  if (!alternatives) {
    const would = imagineReply(view, known, change)
    if (!would) throw conflict(explainKey(known))
    const notes = [...would.notes, ...describeIdle(known, would, change)]
    return found({ ...would, notes })
  }
  if (Object.keys(change).length > 0) {
    throw misuse('alternatives', 'leave the changes out, or ask for one answer')
  }
  return found(listAlternatives(view, known))
}
