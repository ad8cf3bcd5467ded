// The operations of the service: parameters, responses, and a form to try each.

import { Chip } from '../parts/chip.tsx'
import { toDate, toRemoval } from '../parts/instants.ts'
import { Code } from '../parts/message.tsx'
import { Prose } from '../parts/prose.tsx'
import { ViewHead } from '../parts/view-head.tsx'
import { isTemplate, toKey } from '../state/console-state.ts'
import type { InterfaceOperation } from '../state/read-interface.ts'
import { toNow } from '../state/world-view.ts'
import { TryForm } from './try-form.tsx'
import type { ViewProps } from './view.ts'

export function Interface({ state, world, actions }: ViewProps) {
  const { operations, sandbox } = state
  return (
    <>
      <ViewHead title="API" lead="The operations of the service, and a form to try each one." />
      <div class="card row key">
        <label class="field grow">
          <span>API key</span>
          <input
            type="text"
            class="mono"
            autocomplete="off"
            spellcheck={false}
            value={toKey(state)}
            readOnly={sandbox !== undefined}
            aria-describedby="key-hint"
            onInput={(event) => actions.setKey(event.currentTarget.value)}
          />
        </label>
        <p id="key-hint" class="muted">
          {toKeyHint(state, world)}
        </p>
      </div>
      {operations.map((operation) => (
        <article key={operation.id} id={`interface-${operation.id}`} class="card operation" aria-labelledby={`title-${operation.id}`}>
          <Description operation={operation} isRemoved={isRemoved(operation, world)} />
          <TryForm operation={operation} suggestion={String(world.pets.at(-1)?.id ?? 1)} apiKey={toKey(state)} onSay={actions.say} />
        </article>
      ))}
    </>
  )
}

function toKeyHint(state: ViewProps['state'], { apiKeys }: ViewProps['world']): string {
  const { sandbox } = state
  if (isTemplate(state)) return 'Every API key has its own sandbox: a request goes to the sandbox of the key that it is sent with.'
  if (sandbox !== undefined) return 'The requests below use the key of this sandbox.'
  if (apiKeys.length > 0) return `Valid keys: ${apiKeys.join(', ')}`
  return 'Sent as a bearer token with the requests below. Leave it empty to send none.'
}

/** Whether it is gone by the mock's clock. */
function isRemoved({ sunset }: InterfaceOperation, { clock, assumptions }: ViewProps['world']): boolean {
  if (sunset === undefined) return false
  const isFromStart = assumptions.some(({ id, choice }) => id === 'removal-instant' && choice === 'start-of-day')
  return toNow(clock, Date.now()) >= toRemoval(sunset, isFromStart).at
}

function Description({ operation, isRemoved: isGone }: { operation: InterfaceOperation; isRemoved: boolean }) {
  const { id, method, path, summary, description, isDeprecated, sunset, fields, answers } = operation
  return (
    <div class="description">
      <h2 id={`title-${id}`}>{summary}</h2>
      <p class="facts-line">
        <code>
          <strong>{method}</strong> {path}
        </code>
        <code class="muted">{id}</code>
        {isGone && <Chip tone="bad">already removed at the mock's time</Chip>}
        {isDeprecated && <Chip tone="warn">deprecated{sunset === undefined ? '' : `, removed on ${toDate(Date.parse(sunset))}`}</Chip>}
      </p>
      <p>
        <Prose text={description} />
      </p>
      {fields.length > 0 && (
        <dl class="parameters" aria-label="Parameters">
          {fields.map(({ name, place, type, isRequired, description: text, choices, fallback }) => (
            <div key={name}>
              <dt>
                <code>{name}</code>{' '}
                <span class="muted">
                  {place}, {type}
                  {isRequired ? ', required' : ''}
                </span>
              </dt>
              <dd>
                <Prose text={text} />
                {choices.length > 0 && `: ${choices.join(', ')}`}
                {fallback !== '' && `; default ${fallback}`}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {answers.map(({ status, description: text, example }) => (
        <details key={status} class="answer-example">
          <summary>
            <code>{status}</code> {text}
          </summary>
          <Code text={example} label={`Example of ${status}`} />
        </details>
      ))}
    </div>
  )
}
