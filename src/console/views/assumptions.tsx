// The questions that the spec leaves open, the used ones first: each with its choices and a count
// of requests.
import { useEffect } from 'preact/hooks'
import { questions } from '../../contract/generated/questions.ts'
import type { AssumptionState } from '../../control/control.ts'
import { change } from '../model/actions.ts'
import { read } from '../model/mock.ts'
import { link, route } from '../model/route.ts'
import { count } from '../model/text.ts'
import { Chip, isAway, Loading } from '../ui/controls.tsx'
import { Page } from '../ui/pane.tsx'

export function Assumptions() {
  const assumptions = read('assumptions')
  const { part } = route.value
  const reveal = () =>
    document.getElementById(`assumption-${part}`)?.scrollIntoView({ block: 'center' })
  useEffect(reveal, [part, !assumptions])
  if (!assumptions) return <Loading />
  const isListed = ({ id, uses }: AssumptionState) => uses > 0 || id === part
  const show = (state: AssumptionState) => <Question key={state.id} {...state} />
  const used = assumptions.filter(isListed)
  const unused = assumptions.filter((one) => !isListed(one))
  return (
    <Page title="Assumptions">
      {used.map(show)}
      <details open={used.length === 0}>
        <summary>{count(unused.length)} not used</summary>
        <div class="stack" children={unused.map(show)} />
      </details>
    </Page>
  )
}

function Question({ id, choice, default: usual, uses, confirmed }: AssumptionState) {
  const texts = questions.find((one) => one.id === id) as (typeof questions)[number]
  const { question, choices } = texts
  const place = { id: `assumption-${id}`, 'aria-current': id === route.value.part }
  const isOff = choices.length === 1 || isAway()
  const button = { name: id, disabled: isOff }
  const choose = (other: string) => change((mock) => mock.assume({ [id]: other }))
  return (
    <div {...place} class="card question" role="radiogroup" aria-label={question}>
      <div class="card-head">
        <h2>{question}</h2>
        <code class="muted">{id}</code> {choice !== usual && <Chip tone="warn" text="changed" />}
        {uses > 0 ? (
          <a href={link('timeline', '', { assumption: id })}>{count(uses, 'request')}</a>
        ) : (
          <span class="muted">{'unlogged' in texts && `used by ${texts.unlogged}`}</span>
        )}
      </div>
      <div class="choices">
        {choices.map((one) => (
          <label key={one.id}>
            <input
              type="radio"
              {...button}
              checked={one.id === choice}
              onChange={() => choose(one.id)}
            />
            <span>
              <code>{one.id}</code>
              {one.meaning !== one.id && `: ${one.meaning}`}{' '}
              {one.id === usual && <span class="muted">(default)</span>}
            </span>
          </label>
        ))}
      </div>
      {confirmed && (
        <p class="muted">{`Confirmed on ${confirmed.on} against ${confirmed.against}.`}</p>
      )}
    </div>
  )
}
