// What a request would get if one thing were different: the mock's alternatives, and a request that
// you edit.
import { useEffect, useRef } from 'preact/hooks'
import type {
  Alternative as AlternativeOf,
  WhatIfChange,
  WhatIf as WhatIfResult,
} from '../../control/control.ts'
import { describeWhatIfChange } from '../../control/describe-what-if-change.ts'
import {
  type CommandRequest,
  isTestable,
  requestOf,
  testOf,
} from '../../control/text/copy-logged.ts'
import { renderTests } from '../../control/text/copy-script.ts'
import type { RequestRow } from '../../world/row.ts'
import { attempt } from '../model/actions.ts'
import { mockUrl } from '../model/connection.ts'
import { draftOf, hasDraft } from '../model/drafts.ts'
import { askMoment, read, readPast } from '../model/mock.ts'
import { showHidden } from '../model/text.ts'
import { Button, MockButton } from '../ui/button.tsx'
import { Loading, Status, UNSAVED } from '../ui/chip.tsx'
import { copy } from '../ui/copy.ts'
import { draftOfRow, SendForm } from './send-form.tsx'
import { responseSide, Sides, TRANSPORT } from './sides.tsx'

/** What you have edited, or one of the mock's alternatives. */
export type Chosen = 'as-it-was' | 'edited' | WhatIfChange
type Choose = (chosen: Chosen) => void
/** What you asked last, and the text of the draft that it was made from. */
type Asked = { readonly change: WhatIfChange; readonly text: string }
/** By the names of the drafts. */
const asked = new Map<string, Asked>()

function textOfDraft(row: RequestRow): string {
  return JSON.stringify(draftOf(draftOfRow(row)))
}

/** What was sent or discarded is not what you would ask now. */
function findAsked(row: RequestRow): Asked | undefined {
  const draft = draftOfRow(row)
  const last = asked.get(draft)
  const isCurrent = hasDraft(draft) || last?.text === textOfDraft(row)
  return isCurrent ? last : undefined
}

/** Edits the request, to send it or to ask about it. */
export function EditForm({ row, choose }: { row: RequestRow; choose: Choose }) {
  const form = useRef<HTMLDivElement>(null)
  const draft = draftOfRow(row)
  useEffect(() => {
    const first = form.current?.querySelector<HTMLElement>('textarea, input')
    first?.focus({ preventScroll: true })
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const ask = (change: WhatIfChange) => {
    asked.set(draft, { change, text: textOfDraft(row) })
    choose('edited')
  }
  return (
    <div ref={form}>
      <SendForm
        draft={draft}
        request={withAllHeaders(row)}
        hasFault={row.struck !== undefined}
        onAsk={ask}
      />
    </div>
  )
}

/** The request as the log has it, with a key that works: the log has none. */
function withAllHeaders(row: RequestRow): CommandRequest {
  const request = requestOf(row, read('state', row.sandbox), mockUrl)
  const logged = Object.entries(row.request.headers).filter(([name]) => !TRANSPORT.test(name))
  return { ...request, headers: { ...request.headers, ...Object.fromEntries(logged) } }
}

/** Undefined for the request as it was. */
export function findChange(row: RequestRow, chosen: Chosen): WhatIfChange | undefined {
  if (chosen === 'as-it-was') return undefined
  return chosen === 'edited' ? findAsked(row)?.change : chosen
}

function nameOfChosen(chosen: Chosen): string {
  if (chosen === 'edited') return 'edited…'
  return chosen === 'as-it-was' ? 'as it was' : describeWhatIfChange(chosen)
}

type WhatIfProps = { row: RequestRow; chosen: Chosen; choose: Choose }
type ChoiceOfRow = {
  readonly chosen: Chosen
  readonly name: string
  readonly ending: Ending
  readonly error: string | null
  readonly isUnsaved: boolean
}

/** The list of alternatives. */
export function WhatIf({ row, chosen, choose }: WhatIfProps) {
  const alternatives = readAlternatives(row)
  const refusal = typeof alternatives === 'string' ? alternatives : undefined
  const chosenName = nameOfChosen(chosen)
  return (
    <section class="card what-if" aria-label="What if">
      <h3>What if…</h3>
      {listChoices(row).map((choice) => (
        <Choice
          key={choice.name}
          choice={choice}
          isChosen={choice.name === chosenName}
          choose={choose}
        />
      ))}
      {refusal && <Loading text={refusal} />}
    </section>
  )
}

function readAlternatives(row: RequestRow) {
  return readPast(row, 'alternatives', (mock) => mock.whatIf(row.id, { alternatives: true }))
}

/** As it was, what the mock offers, and what you have asked. */
function listChoices(row: RequestRow): ChoiceOfRow[] {
  const choices: ChoiceOfRow[] = []
  const isUnsaved = hasDraft(draftOfRow(row))
  const add = (one: Chosen, ending: Ending, error: string | null = null) => {
    const name = nameOfChosen(one)
    const isEdited = one === 'edited'
    choices.push({ chosen: one, name, ending, error, isUnsaved: isEdited && isUnsaved })
  }
  add('as-it-was', row)
  const alternatives = readAlternatives(row)
  if (typeof alternatives === 'object') {
    for (const one of alternatives) add(one.change, endingOf(one), one.error)
  }
  const last = findAsked(row)
  if (last) add('edited', endingOf(askWhatIf(row, last.change)))
  return choices
}

/** How a request ended, if it is known. */
type Ending = Pick<RequestRow, 'status' | 'outcome'> | undefined
type Would = WhatIfResult | AlternativeOf

function endingOf(would: Would | string | undefined): Ending {
  if (typeof would !== 'object' || would.status === null) return undefined
  return would
}

type ChoiceProps = {
  choice: ChoiceOfRow
  isChosen: boolean
  choose: Choose
}

function Choice({ choice, isChosen, choose }: ChoiceProps) {
  const { name, ending, error, isUnsaved } = choice
  const chooseIt = () => choose(choice.chosen)
  return (
    <MockButton class="row" aria-pressed={isChosen} onClick={chooseIt}>
      {ending ? <Status row={ending} /> : <span />}
      <span>
        {name} {isUnsaved && UNSAVED}{' '}
        {error !== null && <bdi class="muted">· {showHidden(error)}</bdi>}
      </span>
    </MockButton>
  )
}

function askWhatIf(row: RequestRow, change: WhatIfChange) {
  return readPast(row, JSON.stringify(change), (mock) => mock.whatIf(row.id, change))
}

type AlternativeProps = { row: RequestRow; chosen: Chosen; change: WhatIfChange }

/** The response of the chosen alternative beside the one that was sent. */
export function Alternative({ row, chosen, change }: AlternativeProps) {
  const isStale = chosen === 'edited' && findAsked(row)?.text !== textOfDraft(row)
  return (
    <>
      {isStale && <p>Edited. Ask again.</p>}
      <div class="stack" inert={isStale}>
        <BothResponses row={row} change={change} name={nameOfChosen(chosen)} />
      </div>
    </>
  )
}

type BothProps = { row: RequestRow; change: WhatIfChange; name: string }

function BothResponses({ row, change, name }: BothProps) {
  const would = askWhatIf(row, change)
  if (typeof would !== 'object') return <Loading text={would} />
  const { method = row.method, target = row.target } = change.request ?? {}
  const canTest = isTestable(row) && isTestable({ ...row, method, target })
  return (
    <>
      <Sides
        name="Response"
        pair={[responseSide(row, 'as it was'), responseSide(would, name)]}
        isRevealed
      />
      <div class="buttons">
        {canTest && (
          <Button onClick={() => copyTests(row, change, would)}>Copy both as tests</Button>
        )}
        <span class="muted">{showHidden(listNotes(change, would).join(' · '))}</span>
      </div>
    </>
  )
}

function listNotes(change: WhatIfChange, would: WhatIfResult): readonly string[] {
  const notes: string[] = []
  if (would.differs === null) notes.push('the same response')
  if (change.request && would.error) notes.push(would.error)
  return [...notes, ...would.notes]
}

function copyTests(row: RequestRow, change: WhatIfChange, would: WhatIfResult) {
  return attempt(async () => {
    const moment = await askMoment(row)
    const test = testOf(row, moment, mockUrl)
    const other = testOf({ ...row, ...would }, moment, mockUrl, change)
    copy(renderTests([test, other]))
  })
}
