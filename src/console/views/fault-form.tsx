// A form for a custom fault.
import type { ComponentProps } from 'preact'
import { useState } from 'preact/hooks'
import { MAX_DELAY_MS } from '../../limits.ts'
import type { Fault } from '../../world/faults.ts'
import { NumberField } from '../parts/fields.tsx'
import type { InterfaceOperation } from '../state/read-interface.ts'
import { type FaultDraft, newFault, toFault } from '../state/to-fault.ts'

interface FaultFormProps {
  readonly operations: readonly InterfaceOperation[]
  onAdd(fault: Fault): Promise<boolean>
}

export function FaultForm({ operations, onAdd }: FaultFormProps) {
  const [draft, setDraft] = useState<FaultDraft>(newFault)
  const change = (part: Partial<FaultDraft>) => setDraft({ ...draft, ...part })
  const number = (name: keyof FaultDraft, label: string, limits: Partial<ComponentProps<typeof NumberField>>) => (
    <NumberField label={label} {...limits} value={draft[name]} onInput={(value) => change({ [name]: value })} />
  )
  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    if (await onAdd(toFault(draft))) setDraft(newFault)
  }
  return (
    <form class="card" onSubmit={add}>
      <h2>Add a fault</h2>
      <div class="form-grid">
        <label class="field">
          <span>Operation</span>
          <select value={draft.operation} onChange={(event) => change({ operation: event.currentTarget.value as Fault['operation'] })}>
            <option value="*">All operations</option>
            {operations.map(({ id }) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>What happens</span>
          <select value={draft.kind} onChange={(event) => change({ kind: event.currentTarget.value as FaultDraft['kind'] })}>
            <option value="status">Return an error</option>
            <option value="delay">Delay the response</option>
            <option value="drop">Drop the connection</option>
          </select>
        </label>
        {draft.kind === 'status' && number('status', 'Status', { min: 400, max: 599, required: true })}
        {draft.kind === 'status' && number('retryAfter', 'Retry-After (s)', { placeholder: 'none' })}
        {draft.kind === 'delay' && number('shortest', 'Min. delay (ms)', { max: MAX_DELAY_MS, required: true })}
        {draft.kind === 'delay' && number('longest', 'Max. delay (ms)', { max: MAX_DELAY_MS, placeholder: 'same' })}
        {draft.kind === 'drop' && <p class="field-space muted">The client sees the connection close without a response.</p>}
        {number('chance', 'Probability (%)', { max: 100, step: 'any', placeholder: '100' })}
        {number('times', 'Max. times', { placeholder: 'no limit' })}
        {number('after', 'Skip first N calls', { placeholder: '0' })}
        <button type="submit" class="button primary">
          Add fault
        </button>
      </div>
    </form>
  )
}
