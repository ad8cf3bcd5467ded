// How the world differs from the scenario that a reset brings back.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { describeDelay, describeFault } from '../../client/describe-fault.ts'
import { toJson } from '../../contract/int64-json.ts'
import type { StateDiff } from '../../control/control.ts'
import type { Pet } from '../../generated/contract.ts'
import type { Delay, LiveFault } from '../../world/faults.ts'
import { Drawer } from '../parts/drawer.tsx'
import { toDateTime } from '../parts/instants.ts'
import { toVisible } from '../parts/to-visible.ts'
import type { Actions } from '../state/actions.ts'
import type { WorldView } from '../state/world-view.ts'

interface DiffDrawerProps {
  readonly world: WorldView
  readonly actions: Actions
  onClose(): void
}

const SHOWN_PETS = 50

export function DiffDrawer({ world, actions, onClose }: DiffDrawerProps) {
  const { animals, faults, clock, assumptions, latency } = world
  const [diff, setDiff] = useState<StateDiff>()
  useEffect(() => {
    let isCurrent = true
    void actions.readDiff().then((found) => {
      if (isCurrent) setDiff(found)
    })
    return () => {
      isCurrent = false
    }
  }, [animals, faults, clock, assumptions, latency])
  return (
    <Drawer
      title={<>Changes since {world.name}</>}
      onClose={onClose}
      foot={
        <button type="button" class="button" onClick={() => actions.reset()}>
          Reset to {world.name}
        </button>
      }
    >
      {diff ? <Changes diff={diff} /> : <p class="muted">Loading…</p>}
    </Drawer>
  )
}

function Changes({ diff: { pets, clock, latency, faults, assume } }: { diff: StateDiff }) {
  const { added, changed, removed } = pets
  const isSame = added.length + changed.length + removed.length + faults.added.length + faults.removed.length + assume.length === 0
  if (isSame && clock === null && latency === null) return <p>Everything is as the scenario has it.</p>
  return (
    <>
      <Group title="Animals added" items={added.map(toText)} sign="+" />
      <Group title="Animals changed" items={changed.map(toChange)} sign="~" />
      <Group title="Animals removed" items={removed.map(toText)} sign="−" />
      <Group title="Faults added" items={faults.added.map(toFaultText)} sign="+" />
      <Group title="Faults removed" items={faults.removed.map(toFaultText)} sign="−" />
      <Group title="Assumptions" items={assume.map(({ id, before, after }) => `${id}: ${before} → ${after}`)} sign="~" />
      {clock && <Group title="Clock" items={[`${toClockText(clock.before)} → ${toClockText(clock.after)}`]} sign="~" />}
      {latency && <Group title="Latency" items={[`${toDelayText(latency.before)} → ${toDelayText(latency.after)}`]} sign="~" />}
    </>
  )
}

function Group({ title, items, sign }: { title: string; items: readonly string[]; sign: string }): ComponentChildren {
  if (items.length === 0) return null
  return (
    <section class="diff">
      <h3>
        {title} <span class="count">{items.length.toLocaleString('en')}</span>
      </h3>
      <ul class="mono">
        {items.slice(0, SHOWN_PETS).map((item) => (
          <li key={item}>
            <span aria-hidden="true">{sign}</span> <bdi>{toVisible(item)}</bdi>
          </li>
        ))}
      </ul>
      {items.length > SHOWN_PETS && <p class="muted">and {(items.length - SHOWN_PETS).toLocaleString('en')} more</p>}
    </section>
  )
}

const toText = (pet: Pet): string => toJson(pet)

/** Only what differs, as in `3 status: available → sold`. */
function toChange({ before, after }: { readonly before: Pet; readonly after: Pet }): string {
  const [old, current] = [before, after] as unknown as Record<string, unknown>[]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => old?.[name] !== current?.[name])
  const show = (value: unknown) => (value === undefined ? 'none' : toJson(value))
  return `${before.id} ${names.map((name) => `${name}: ${show(old?.[name])} → ${show(current?.[name])}`).join(', ')}`
}

const toFaultText = (fault: LiveFault): string => `${fault.operation === '*' ? 'Every operation' : fault.operation} ${describeFault(fault)}`

const toClockText = ({ now, frozen }: { readonly now: string | null; readonly frozen: boolean }): string =>
  `${now === null ? 'real time' : `${toDateTime(Date.parse(now))} UTC`}${frozen ? ', frozen' : ''}`

const toDelayText = (delay: Delay | null): string => (delay === null ? 'none' : describeDelay(delay))
