// How two states differ, part by part: animals with a list to open, faults, choices, latency, clock.
import type { ComponentChildren } from 'preact'
import type { StateDiff } from '../../control/results.ts'
import type { Pet } from '../../generated/contract.ts'
import { describeDelay, describeFault } from '../../render/describe-fault.ts'
import { count, dateTime, showHidden } from '../text.ts'

/** More animals are only counted. */
const MAX_LISTED = 100

export function Pair({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** Which animals are new, changed or gone, as they were at that moment, and the other parts of the state; `children` are more pairs. */
export function Difference({ diff, children }: { diff: StateDiff; children?: ComponentChildren }) {
  const { pets, faults, assume, latency, clock } = diff
  const lists = { added: pets.added.map(describe), changed: pets.changed.map(describeChange), removed: pets.removed.map(describe) }
  const groups = Object.entries(lists).filter(([, list]) => list.length > 0)
  const told = [
    ...faults.added.map((fault) => ['Fault', `on: ${describeFault(fault)}`]),
    ...faults.removed.map((fault) => ['Fault', `off: ${describeFault(fault)}`]),
    ...assume.map(({ id, before, after }) => ['Assumption', `${id}: ${before} → ${after}`]),
    ...(latency ? [['Latency', `${sayDelay(latency.before)} → ${sayDelay(latency.after)}`]] : []),
    ...(clock ? [['Clock', `${sayTime(clock.before)} → ${sayTime(clock.after)}`]] : []),
  ]
  return (
    <dl class="pairs">
      <Pair name="Animals">
        {groups.length === 0 && 'the same'}
        {groups.map(([word, list]) => (
          <details key={word}>
            <summary>{`${count(list.length)} ${word}`}</summary>
            {list.slice(0, MAX_LISTED).map((text) => (
              <p key={text}>{showHidden(text)}</p>
            ))}
          </details>
        ))}
      </Pair>
      {told.map(([name = '', text = '']) => (
        <Pair key={text} name={name}>
          {showHidden(text)}
        </Pair>
      ))}
      {children}
    </dl>
  )
}

function describe({ id, name }: Pet): string {
  return `${id} ${name}`
}

function describeChange({ before, after }: StateDiff['pets']['changed'][number]): string {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Pet)[]
  const sides = names.filter((name) => before[name] !== after[name])
  return `${describe(before)}: ${sides.map((name) => `${name} ${before[name] ?? 'absent'} → ${after[name] ?? 'absent'}`).join(', ')}`
}

function sayDelay(delay: Parameters<typeof describeDelay>[0] | null): string {
  return delay === null ? 'none' : describeDelay(delay)
}

function sayTime({ now, frozen }: { readonly now: string | null; readonly frozen: boolean }): string {
  return `${now === null ? 'real time' : dateTime(now)}${frozen ? ', frozen' : ''}`
}
