// The delay of every response, which is no fault: it holds for 401 and 404 too.
import { useRef, useState } from 'preact/hooks'
import { describeDelay } from '../../client/describe-fault.ts'
import { MAX_DELAY_MS } from '../../limits.ts'
import type { Delay } from '../../world/faults.ts'
import { NumberField } from '../parts/fields.tsx'
import { useKeptFocus } from '../parts/kept-focus.ts'
import type { ViewProps } from './view.ts'

export function LatencyCard({ world: { latency }, actions }: Pick<ViewProps, 'world' | 'actions'>) {
  const [draft, setDraft] = useState({ shortest: '', longest: '' })
  const form = useRef<HTMLFormElement>(null)
  useKeptFocus(form, 'button:enabled')
  const set = (event: SubmitEvent) => {
    event.preventDefault()
    void actions.setLatency(toDelay(draft.shortest, draft.longest))
  }
  const number = (name: keyof typeof draft, label: string, placeholder: string) => (
    <NumberField
      {...{ label, placeholder }}
      max={MAX_DELAY_MS}
      required={name === 'shortest'}
      value={draft[name]}
      onInput={(value) => setDraft({ ...draft, [name]: value })}
    />
  )
  return (
    <form ref={form} class="card" aria-label="Latency" onSubmit={set}>
      <div class="card-head">
        <h2>Latency</h2>
        <button type="button" class="button" disabled={latency === undefined} onClick={() => actions.setLatency(null)}>
          Remove
        </button>
      </div>
      <p role="status">
        {latency === undefined ? 'Responses are sent at once.' : `Every response is delayed by ${describeDelay(latency)}.`}
      </p>
      <div class="form-grid">
        {number('shortest', 'Delay (ms)', 'e.g. 200')}
        {number('longest', 'Max. delay (ms)', 'same')}
        <button type="submit" class="button">
          Set latency
        </button>
      </div>
    </form>
  )
}

function toDelay(shortest: string, longest: string): Delay {
  return longest === '' ? Number(shortest) : [Number(shortest), Number(longest)]
}
