// What you suppose at a moment, as a test: it starts there, and sends the requests up to the first
// that would differ.
import type { Onward } from '../../control/control.ts'
import { isTestable, requestOf, testOf } from '../../control/text/copy-logged.ts'
import { renderTests } from '../../control/text/copy-script.ts'
import { isChange, isRequest, type RequestRow, type TimelineRow } from '../../world/row.ts'
import { attempt } from '../model/actions.ts'
import { mockUrl } from '../model/connection.ts'
import { askMoment, readRows } from '../model/mock.ts'
import type { Moment } from '../model/moment.ts'
import { notify } from '../model/notice.ts'
import { copy } from '../ui/copy.ts'

export function copyMoment(moment: Moment, onward: Onward) {
  const { before, change = {} } = moment
  const rows = (readRows() ?? []).filter((row) => row.id >= before).toReversed()
  const differing = onward.rows.find((one) => one.type === 'request' && one.differs !== null)
  const last = rows.find((row) => row.id === differing?.id)
  if (differing?.type !== 'request' || !differing.would || !last || !isRequest(last)) {
    notify('No response differs: there is nothing to test', 'problem')
    return
  }
  const { would } = differing
  const refusal = findRefusal(rows, last)
  if (refusal) {
    notify(refusal, 'problem')
    return
  }
  return attempt(async () => {
    const start = await askMoment({ ...last, id: before })
    const earlier = rows.filter((row) => row.id < last.id).filter(isRequest)
    const requests = earlier.map((row) => requestOf(row, start.state, mockUrl))
    const test = testOf({ ...last, ...would }, start, mockUrl, change)
    copy(renderTests([{ ...test, earlier: requests }]))
  })
}

/** A test sends requests; what a tester changes in between it cannot do. */
function findRefusal(rows: readonly TimelineRow[], last: RequestRow): string | undefined {
  const between = rows.filter((row) => row.id < last.id)
  const change = between.find(isChange)
  if (change) return `Row ${change.id} is a change, which a test of requests cannot repeat`
  const odd = [...between.filter(isRequest), last].find((row) => !isTestable(row))
  return odd && `A test cannot send the request of row ${odd.id}`
}
