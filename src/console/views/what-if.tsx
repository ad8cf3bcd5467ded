// What a request would get if one thing were different: the mock's alternatives, and a request that
// you edit.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { WhatIfChange } from '../../control/control.ts'
import {
  type CommandRequest,
  isTestable,
  requestOf,
  testOf,
} from '../../control/text/copy-logged.ts'
import { renderTests } from '../../control/text/copy-script.ts'
import { describeWhatIfChange } from '../../control/text/describe-what-if.ts'
import type { RequestRow } from '../../world/row.ts'
import { attempt } from '../model/actions.ts'
import { mockUrl } from '../model/connection.ts'
import { draftOf, hasDraft } from '../model/drafts.ts'
import { askMoment, read, readPast } from '../model/mock.ts'
import { route } from '../model/route.ts'
import { showHidden } from '../model/text.ts'
import { Button, MockButton } from '../ui/button.tsx'
import { Loading, Status, UNSAVED } from '../ui/chip.tsx'
import { copy } from '../ui/copy.ts'
import { renderComparison } from './comparison.tsx'
import { Messages } from './messages.tsx'
import { draftOfRow, SendForm } from './send-form.tsx'
import { responseSide, Sides, TRANSPORT } from './sides.tsx'

/** The form, or one of the mock's alternatives. */
type Chosen = 'as-it-was' | 'edited' | WhatIfChange
type Choice = {
  readonly chosen: Chosen
  /** Its status, if it is known. */
  readonly ending: Pick<RequestRow, 'status' | 'outcome'> | undefined
  readonly error: string | null
}
/** What you asked last, and the text of the draft that it was made from. */
type Asked = { readonly change: WhatIfChange; readonly text: string }
const asked = new Map<string, Asked>()

/**
 * In two columns: what is known about a request, with its alternatives below; its messages, with
 * the chosen alternative above.
 */
export function WhatIf({ row, children }: { row: RequestRow; children: ComponentChildren }) {
  const [chosen, choose] = useState<Chosen>('as-it-was')
  const isComparing = Boolean(route.value.query.compare)
  const draft = draftOfRow(row)
  const text = JSON.stringify(draftOf(draft))
  const last = findAsked(draft, text)
  const hasForm = chosen === 'edited'
  const isStale = hasForm && last?.text !== text
  const shown = findShown(chosen, last)
  const hasSides = !isComparing && shown !== undefined
  useEffect(() => {
    document.querySelector('.what-if form')?.scrollIntoView({ block: 'nearest' })
  }, [hasForm])
  const ask = (change: WhatIfChange) => {
    asked.set(draft, { change, text: JSON.stringify(draftOf(draft)) })
    choose('edited')
  }
  return (
    <>
      <div class="stack">
        {children}
        {!isComparing && (
          <section class="card what-if" aria-label="What if">
            <h3>What if…</h3>
            <Choices row={row} edit={last?.change} chosen={chosen} choose={choose} />
            {hasForm && (
              <SendForm
                draft={draft}
                request={withAllHeaders(row)}
                hasFault={row.struck !== undefined}
                onAsk={ask}
              />
            )}
          </section>
        )}
      </div>
      <div class="stack">
        {isComparing && renderComparison(row)}
        {isStale && hasSides && <p>Edited. Ask again.</p>}
        {hasSides && (
          <div class="stack" inert={isStale}>
            {renderAlternative(row, shown, nameOfChosen(chosen))}
          </div>
        )}
        <Messages row={row} isCompared={hasSides} />
      </div>
    </>
  )
}

/** What was sent or discarded is not what you would ask now. */
function findAsked(draft: string, text: string): Asked | undefined {
  const last = asked.get(draft)
  return hasDraft(draft) || last?.text === text ? last : undefined
}

/** Undefined for the request as it was, and for a form that has not been sent. */
function findShown(chosen: Chosen, last: Asked | undefined): WhatIfChange | undefined {
  if (chosen === 'as-it-was') return undefined
  return chosen === 'edited' ? last?.change : chosen
}

function nameOfChosen(chosen: Chosen): string {
  if (chosen === 'edited') return 'edited…'
  return chosen === 'as-it-was' ? 'as it was' : describeWhatIfChange(chosen)
}

type ChoicesProps = {
  row: RequestRow
  /** What you have asked with the form. */
  edit: WhatIfChange | undefined
  chosen: Chosen
  choose(chosen: Chosen): void
}

function Choices({ row, edit, chosen, choose }: ChoicesProps) {
  const alternatives = readPast(row, 'alternatives', (mock) =>
    mock.whatIf(row.id, { alternatives: true }),
  )
  const choices: Choice[] = [{ chosen: 'as-it-was', ending: row, error: null }]
  if (typeof alternatives === 'object') {
    for (const one of alternatives) {
      const ending = one.status === null ? undefined : one
      choices.push({ chosen: one.change, ending, error: one.error })
    }
  }
  const would = edit && askWhatIf(row, edit)
  const ending = typeof would === 'object' ? would : undefined
  choices.push({ chosen: 'edited', ending, error: null })
  const isUnsaved = hasDraft(draftOfRow(row))
  const renderChoice = (choice: Choice) => {
    const name = nameOfChosen(choice.chosen)
    const isChosen = name === nameOfChosen(chosen)
    return (
      <MockButton
        key={name}
        class="row"
        aria-pressed={isChosen}
        onClick={() => choose(choice.chosen)}
      >
        {choice.ending ? <Status row={choice.ending} /> : <span />}
        <span>
          {name} {choice.chosen === 'edited' && isUnsaved && UNSAVED}{' '}
          {choice.error && <bdi class="muted">· {showHidden(choice.error)}</bdi>}
        </span>
      </MockButton>
    )
  }
  return (
    <>
      {choices.map(renderChoice)}
      {typeof alternatives === 'string' && <Loading said={alternatives} />}
    </>
  )
}

/** The request as the log has it, with a key that works: the log has none. */
function withAllHeaders(row: RequestRow): CommandRequest {
  const request = requestOf(row, read('state', row.sandbox), mockUrl)
  const logged = Object.entries(row.request.headers).filter(([name]) => !TRANSPORT.test(name))
  return { ...request, headers: { ...request.headers, ...Object.fromEntries(logged) } }
}

function askWhatIf(row: RequestRow, change: WhatIfChange) {
  return readPast(row, JSON.stringify(change), (mock) => mock.whatIf(row.id, change))
}

function renderAlternative(row: RequestRow, change: WhatIfChange, name: string) {
  const would = askWhatIf(row, change)
  if (typeof would !== 'object') return <Loading said={would} />
  const reasons = [...would.notes]
  if (change.request && would.error) reasons.unshift(would.error)
  if (would.differs === null) reasons.unshift('the same response')
  const { method = row.method, target = row.target } = change.request ?? {}
  const canTest = isTestable(row) && isTestable({ ...row, method, target })
  const copyTests = async () => {
    const moment = await askMoment(row)
    const test = testOf(row, moment, mockUrl)
    const other = testOf({ ...row, ...would }, moment, mockUrl, change)
    copy(renderTests([test, other]))
  }
  return (
    <>
      <Sides
        name="Response"
        pair={[responseSide(row, 'as it was'), responseSide(would, name)]}
        isRevealed
      />
      <div class="buttons">
        {canTest && <Button onClick={() => attempt(copyTests)}>Copy both as tests</Button>}
        <span class="muted">{showHidden(reasons.join(' · '))}</span>
      </div>
    </>
  )
}
