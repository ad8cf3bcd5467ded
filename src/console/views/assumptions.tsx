// The questions that the spec leaves open, the choice made for each, and how many responses used it.
import type { AssumptionState } from '../../control/control.ts'
import { Chip } from '../parts/chip.tsx'
import { ViewHead } from '../parts/view-head.tsx'
import type { ViewProps } from './view.ts'

export function Assumptions({ world, actions }: ViewProps) {
  const changed = world.assumptions.filter(({ choice, default: usual }) => choice !== usual).length
  return (
    <>
      <ViewHead
        title="Assumptions"
        lead={`${world.assumptions.length} questions that the spec leaves open, and the behaviour chosen for each. ${changed === 0 ? 'All are at their defaults.' : `${changed} changed.`}`}
      />
      <ul class="stack wide">
        {world.assumptions.map((assumption) => (
          <li key={assumption.id}>
            <Question assumption={assumption} onChoose={(choice) => actions.assume(assumption.id, choice)} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Question({ assumption, onChoose }: { assumption: AssumptionState; onChoose: (choice: string) => void }) {
  const { id, question, silence, why, choices, choice, default: usual } = assumption
  return (
    <fieldset id={`assumptions-${id}`} class="card question" aria-labelledby={`question-${id}`}>
      <div>
        <h2 id={`question-${id}`}>{question}</h2>
        <p class="muted">{silence}</p>
        <p class="facts-line">
          <code>{id}</code>
          <span class="numbers">{toUse(assumption)}</span>
          {choice !== usual && <Chip tone="accent">changed</Chip>}
        </p>
      </div>
      <div>
        {choices.map(({ id: value, meaning }) => (
          <label key={value} class="choice">
            <input
              type="radio"
              name={`assumption-${id}`}
              checked={choice === value}
              disabled={choices.length === 1}
              onChange={() => onChoose(value)}
            />
            <span>
              <span class="choice-name">{value}</span>
              {value === usual && <span class="muted"> default</span>}
              {meaning !== value && <span class="choice-meaning">{meaning}</span>}
            </span>
          </label>
        ))}
        <p class="why">
          <strong>Why this default:</strong> {why}
        </p>
      </div>
    </fieldset>
  )
}

/** How many responses in the journal used it, as far as that is counted. */
function toUse({ uses, uncounted }: AssumptionState): string {
  const counted = `used by ${uses.toLocaleString('en')} ${uses === 1 ? 'response' : 'responses'} in Traffic`
  if (uncounted === undefined) return counted
  return uses === 0 ? `not counted: applies to ${uncounted}` : `${counted}, not counting ${uncounted}`
}
