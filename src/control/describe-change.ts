// What a change did, in a sentence: by what it changed, or by the method where that says more.

import { parsePetText } from '../contract/pet.ts'
import { cutText } from '../contract/text.ts'
import type { Pet } from '../generated/contract.ts'
import { printDelay } from '../settings/duration.ts'
import { printFault } from '../settings/fault-text.ts'
import { printClock } from '../settings/texts.ts'
import type { DelayMs, TimedFault } from '../world/faults.ts'
import type { World } from '../world/world.ts'

const MAX_NAME_CHARACTERS = 40
/** More changes are counted. */
const MAX_TOLD = 3

/** How each kind of item is told; the others are counters, which follow from these. */
const SAY: Readonly<Record<string, (id: string, before: never, after: never, world: World) => string>> = {
  pet: sayPet,
  fault: (id, _: Placed | undefined, after: Placed | undefined) =>
    after ? `fault ${id}: ${printFault(after.fault)}` : `fault ${id} removed`,
  choice: (id, before: string, after: string) => `${id}: ${before} → ${after}`,
  latency: (_, before: DelayMs | undefined, after: DelayMs | undefined) => `latency: ${sayDelay(before)} → ${sayDelay(after)}`,
  clock(_, __, ___, { clock }) {
    const { now = null, frozen = false } = clock.setting()
    return `clock: ${printClock({ now, frozen })}`
  },
}

interface Placed {
  readonly fault: TimedFault
}

/** The names of the items that a change was about, and the sentence. `before` is what the items were. */
export function describeChange(world: World, before: ReadonlyMap<string, unknown>): { changed: string[]; text: string } {
  const told = [...before].flatMap(([item, value]) => {
    const [kind = ''] = item.split(' ', 1)
    const say = SAY[kind]
    return say ? [{ item, text: say(item.slice(kind.length + 1), value as never, world.items.get(item) as never, world) }] : []
  })
  const more = told.length > MAX_TOLD ? `; and ${told.length - MAX_TOLD} more` : ''
  const sentences = told.slice(0, MAX_TOLD).map(({ text }) => text)
  return { changed: told.map(({ item }) => item), text: sentences.join('; ') + more }
}

function sayPet(id: string, before: string | undefined, after: string | undefined): string {
  if (after === undefined) return `animal ${id} removed`
  const now = parsePetText(after)
  if (before === undefined) return `animal ${id} added: ${sayValue(now.name)}`
  const old = parsePetText(before)
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])] as (keyof Pet)[]
  const sides = names.filter((name) => old[name] !== now[name])
  return `animal ${id}: ${sides.map((name) => `${name} ${sayValue(old[name])} → ${sayValue(now[name])}`).join(', ')}`
}

function sayValue(value: Pet[keyof Pet]): string {
  return typeof value === 'string' ? cutText(value, MAX_NAME_CHARACTERS) : String(value ?? 'absent')
}

function sayDelay(delay: DelayMs | undefined): string {
  return delay === undefined ? 'none' : printDelay(delay)
}
