// The questions that the spec leaves open, the used ones first: each with its choices and a count
// of requests.
import { useEffect } from 'preact/hooks'
import { questions } from '../../contract/generated/questions.ts'
import type { AssumptionState } from '../../control/control.ts'
import { change } from '../model/actions.ts'
import { isAway } from '../model/connection.ts'
import { read } from '../model/mock.ts'
import { link, route } from '../model/route.ts'
import { count } from '../model/text.ts'
import { Chip, Loading } from '../ui/chip.tsx'
import { Page } from '../ui/pane.tsx'

type QuestionTexts = (typeof questions)[number]

export function Assumptions() {
  const assumptions = read('assumptions')
  const { part } = route.value
  useEffect(() => {
    document.getElementById(`assumption-${part}`)?.scrollIntoView({ block: 'center' })
  }, [part, !assumptions])
  if (!assumptions) return <Loading />
  const isListed = (state: AssumptionState) => state.uses > 0 || state.id === part
  const listed = assumptions.filter(isListed)
  const others = assumptions.filter((state) => !isListed(state))
  return (
    <Page title="Assumptions">
      {listed.map(renderQuestion)}
      <details open={listed.length === 0}>
        <summary>{count(others.length)} not used</summary>
        <div class="stack">{others.map(renderQuestion)}</div>
      </details>
    </Page>
  )
}

function renderQuestion(state: AssumptionState) {
  const { id, choice } = state
  const texts = questions.find((one) => one.id === id)
  if (!texts) return null
  const { question, choices } = texts
  const isOpen = id === route.value.part
  const isChanged = choice !== state.default
  return (
    <div
      key={id}
      id={`assumption-${id}`}
      class="card question"
      role="radiogroup"
      aria-current={isOpen}
      aria-label={question}
    >
      <div class="card-head">
        <h2>{question}</h2>
        <code class="muted">{id}</code> {isChanged && <Chip tone="warn" text="changed" />}
        {renderUses(state, texts)}
      </div>
      <div class="choices">{choices.map((one) => renderChoice(state, texts, one))}</div>
      {renderConfirmed(state)}
    </div>
  )
}

function renderConfirmed({ confirmed }: AssumptionState) {
  if (!confirmed) return null
  return (
    <p class="muted">
      Confirmed on {confirmed.on} against {confirmed.against}.
    </p>
  )
}

function renderUses(state: AssumptionState, texts: QuestionTexts) {
  const { id, uses } = state
  if (uses > 0)
    return <a href={link('timeline', '', { assumption: id })}>{count(uses, 'request')}</a>
  return <span class="muted">{'unlogged' in texts && `used by ${texts.unlogged}`}</span>
}

function renderChoice(
  state: AssumptionState,
  texts: QuestionTexts,
  choice: QuestionTexts['choices'][number],
) {
  const { id, meaning } = choice
  const isOnly = texts.choices.length === 1
  const isChosen = id === state.choice
  const isDefault = id === state.default
  const explanation = meaning === id ? '' : `: ${meaning}`
  const choose = () => change((mock) => mock.assume({ [state.id]: id }))
  return (
    <label key={id}>
      <input
        type="radio"
        name={state.id}
        disabled={isOnly || isAway()}
        checked={isChosen}
        onChange={choose}
      />
      <span>
        <code>{id}</code>
        {explanation} {isDefault && <span class="muted">(default)</span>}
      </span>
    </label>
  )
}
