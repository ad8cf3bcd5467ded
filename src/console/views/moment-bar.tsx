// The amber bar of a moment before now: what is supposed there, and what it would have changed.
import type { Onward } from '../../control/control.ts'
import { describeWhatIfChange } from '../../control/describe-what-if-change.ts'
import { makeReal } from '../model/actions.ts'
import { findLeftBehind } from '../model/arrange.ts'
import { readRows } from '../model/mock.ts'
import { currentMoment, leaveMoment, type Moment } from '../model/moment.ts'
import { readOnward } from '../model/onward.ts'
import { count, showHidden } from '../model/text.ts'
import { Button, MockButton } from '../ui/button.tsx'
import { copyMoment } from './copy-moment.ts'

export function MomentBar() {
  const moment = currentMoment()
  if (!moment) return null
  const { before, change: supposed } = moment
  return (
    <section class="moment-bar" aria-label="Moment">
      <p>
        <b>The moment before row {before}</b>{' '}
        {supposed ? (
          <Supposed moment={moment} />
        ) : (
          <span>· read-only: what you change here is only supposed</span>
        )}
      </p>
      {supposed ? <Decide moment={moment} /> : <Look before={before} />}
    </section>
  )
}

function Supposed({ moment }: { moment: Moment }) {
  const onward = readOnward()
  return (
    <>
      · <em>{showHidden(describeWhatIfChange(moment.change ?? {}))}</em> ·{' '}
      <span title={typeof onward === 'object' ? onward.note : ''}>{sayDiffering(onward)}</span>
    </>
  )
}

function sayDiffering(onward: Onward | string | undefined): string {
  if (onward === undefined) return 'asking…'
  if (typeof onward === 'string') return showHidden(onward)
  const { differing, considered, stoppedAt } = onward
  const later = count(considered, 'response')
  const end = stoppedAt === null ? '' : ` up to row ${stoppedAt}`
  if (differing === 0) return `none of ${later}${end} differs`
  return `${differing} of ${later}${end} ${differing === 1 ? 'differs' : 'differ'}`
}

function Look({ before }: { before: number }) {
  const goBack = () => makeReal((mock) => mock.rewind(before))
  return (
    <div class="buttons">
      <MockButton onClick={goBack}>Go back to here</MockButton>
      <small>leaves {count(countLater(before), 'row')}</small>
      <Button class="button quiet" hotkey="0" onClick={leaveMoment}>
        Return to now
      </Button>
    </div>
  )
}

/** How many rows a rewind leaves behind, the row itself included. */
function countLater(before: number): number {
  const rows = readRows() ?? []
  const left = findLeftBehind(rows)
  return rows.filter((one) => one.id >= before && !left.has(one)).length
}

function Decide({ moment }: { moment: Moment }) {
  const { before, change: supposed = {} } = moment
  const onward = readOnward()
  const isKnown = typeof onward === 'object'
  return (
    <div class="buttons">
      <MockButton
        class="button primary"
        hotkey="i"
        isOff={!isKnown}
        onClick={() => makeReal((mock) => mock.makeReal(before, supposed))}
      >
        Make it real
      </MockButton>
      <MockButton hotkey="t" isOff={!isKnown} onClick={() => isKnown && copyMoment(moment, onward)}>
        Copy as test
      </MockButton>
      <Button class="button quiet" hotkey="0" onClick={leaveMoment}>
        Discard
      </Button>
    </div>
  )
}
