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

export function Interface({ state, world, actions, link }: ViewProps) {
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
          <Description
            operation={operation}
            isRemoved={isRemoved(operation, world)}
            goneStatus={toGoneStatus(world)}
            clockHref={link('faults')}
          />
          <TryForm operation={operation} suggestion={String(world.animals.pets[0]?.id ?? 1)} apiKey={toKey(state)} onSay={actions.say} />
        </article>
      ))}
    </>
  )
}

function toKeyHint(state: ViewProps['state'], world: ViewProps['world']): string {
  const { apiKeys } = world
  const { sandbox } = state
  if (isTemplate(state)) return 'Every API key has its own sandbox: a request goes to the sandbox of the key that it is sent with.'
  if (isLockedOut(world)) return 'No key is valid in this scenario: every request gets 401. Load another one, or change valid-keys.'
  if (sandbox !== undefined) return 'The requests below use the key of this sandbox.'
  if (apiKeys.length > 0) return `Valid keys: ${apiKeys.join(', ')}`
  return 'Sent as a bearer token with the requests below. Leave it empty to send none.'
}

/** Whether only listed keys are valid, and none is listed. */
function isLockedOut({ apiKeys, assumptions }: ViewProps['world']): boolean {
  return apiKeys.length === 0 && assumptions.some(({ id, choice }) => id === 'valid-keys' && choice === 'listed')
}

/** Whether it is gone by the mock's clock. */
function isRemoved({ sunset }: InterfaceOperation, { clock, assumptions }: ViewProps['world']): boolean {
  if (sunset === undefined) return false
  const isFromStart = assumptions.some(({ id, choice }) => id === 'removal-instant' && choice === 'start-of-day')
  return toNow(clock, Date.now()) >= toRemoval(sunset, isFromStart).at
}

function toGoneStatus({ assumptions }: ViewProps['world']): number {
  return assumptions.some(({ id, choice }) => id === 'removed-answer' && choice === 'gone') ? 410 : 404
}

interface DescriptionProps {
  readonly operation: InterfaceOperation
  readonly isRemoved: boolean
  /** What a removed operation responds. */
  readonly goneStatus: number
  readonly clockHref: string
}

function Description({ operation, isRemoved: isGone, goneStatus, clockHref }: DescriptionProps) {
  const { id, method, path, summary, description, isDeprecated, sunset, fields, answers } = operation
  return (
    <div class="description">
      <h2 id={`title-${id}`}>{summary}</h2>
      <p class="facts-line">
        <code>
          <strong>{method}</strong> {path}
        </code>
        <code class="muted">{id}</code>
        {isGone && <Chip tone="bad">removed</Chip>}
        {isDeprecated && !isGone && (
          <Chip tone="warn">deprecated{sunset === undefined ? '' : `, removed on ${toDate(Date.parse(sunset))}`}</Chip>
        )}
      </p>
      {isGone && sunset !== undefined && (
        <p class="note">
          Gone: it was removed on {toDate(Date.parse(sunset))}, and by the mock's clock that is over. Requests get {goneStatus}.{' '}
          <a href={clockHref}>Turn the clock back</a> to use it.
        </p>
      )}
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
