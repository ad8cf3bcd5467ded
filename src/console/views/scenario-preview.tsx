// What a scenario holds, before it is loaded.
import { describeDelay, describeFault } from '../../client/describe-fault.ts'
import type { Scenario } from '../../world/situation.ts'
import { StatusChip } from '../parts/chip.tsx'
import { toVisible } from '../parts/to-visible.ts'

const SHOWN_PETS = 8

/** `statuses` are those of the contract, in its order. */
export function ScenarioPreview({ scenario, statuses }: { scenario: Scenario; statuses: readonly string[] }) {
  const { description, pets = [], apiKeys = [], now, frozen, latency, faults = [], assume = {} } = scenario
  const choices = Object.entries(assume)
  return (
    <div class="preview">
      {description !== undefined && <p>{toVisible(description)}</p>}
      <dl class="facts">
        <Fact name="Animals">{toCounts(pets, statuses)}</Fact>
        {apiKeys.length > 0 && <Fact name="Valid keys">{apiKeys.join(', ')}</Fact>}
        {now !== undefined && <Fact name="Clock">{`${String(now)}${frozen ? ', frozen' : ''}`}</Fact>}
        {latency !== undefined && <Fact name="Latency">{describeDelay(latency)}</Fact>}
      </dl>
      {faults.length > 0 && (
        <>
          <h3>Faults</h3>
          <ul>
            {faults.map((fault) => (
              <li key={JSON.stringify(fault)}>
                {fault.operation === '*' ? 'Every operation' : fault.operation} {describeFault(fault)}
              </li>
            ))}
          </ul>
        </>
      )}
      {choices.length > 0 && (
        <>
          <h3>Assumptions</h3>
          <ul>
            {choices.map(([id, choice]) => (
              <li key={id}>
                <code>{id}</code>: {choice}
              </li>
            ))}
          </ul>
        </>
      )}
      {pets.length > 0 && (
        <>
          <h3>First animals</h3>
          <ul class="preview-pets">
            {pets.slice(0, SHOWN_PETS).map(({ id, name, status }) => (
              <li key={String(id)}>
                <span class="muted numbers">{String(id)}</span> <bdi class="one-line">{toVisible(name)}</bdi> <StatusChip status={status} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{toVisible(children)}</dd>
    </div>
  )
}

/** As in `50: 20 available, 30 sold`, in the order in which the banner and the table of animals have them. */
function toCounts(pets: NonNullable<Scenario['pets']>, statuses: readonly string[]): string {
  const parts = [...statuses, undefined]
    .map((status) => ({ status, count: pets.filter((pet) => pet.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count.toLocaleString('en')} ${status ?? 'without a status'}`)
  return parts.length === 0 ? 'none' : `${pets.length.toLocaleString('en')}: ${parts.join(', ')}`
}
