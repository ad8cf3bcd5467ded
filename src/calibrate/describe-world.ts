// A judgement as a live scenario, and in words what it does not show.
import { contract } from '../contract/generated/contract.ts'
import { parsePetText } from '../contract/pet.ts'
import { count } from '../contract/problem.ts'
import type { ScenarioDocument } from '../scenario/document.ts'
import type { AddedPet } from '../world/scenario.ts'
import type { Exchange } from './exchange.ts'
import { findTarget } from './flaws.ts'
import type { Change, Followed } from './follow.ts'
import type { Judgement } from './judge.ts'
import { petsOf } from './normal-form.ts'

const MAX_SHOWN_CHANGES = 10
const [limit] = contract.operations.listPets.parameters

/** Where and when the responses come from. */
export interface Source {
  readonly against: string
  readonly on: string
  /** What its keys look like; no key is written. */
  readonly keys?: string | undefined
}

export function describeWorld(judgement: Judgement, source: Source): ScenarioDocument {
  const { choices, confirmed, worlds } = judgement
  const { against, on, keys } = source
  const [world] = worlds
  const pets: AddedPet[] = [...(world?.start.values() ?? [])].map(parsePetText)
  pets.sort((one, other) => ((one.id ?? 0) < (other.id ?? 0) ? -1 : 1))
  const highest = pets.at(-1)?.id ?? 0
  const { firstId } = world ?? {}
  const seen = `${count(pets.length, 'animal')} of ${against}, as seen on ${on}`
  return {
    description: keys === undefined ? seen : `${seen}; keys have ${keys}`,
    pets,
    ...(firstId !== undefined && firstId > highest ? { nextId: firstId } : {}),
    assume: choices,
    calibrated: { on, against, choices: confirmed },
  }
}

export function listChanges(worlds: readonly Followed[]): string[] {
  const changes = worlds.flatMap((world) => world.changes)
  const shown = changes.slice(0, MAX_SHOWN_CHANGES).map(describeChange)
  const others = changes.length - shown.length
  return others > 0 ? [...shown, `${others} more animals were changed by others`] : shown
}

function describeChange({ what, id, after, before }: Change): string {
  const when = after === undefined ? `before #${before}` : `between #${after} and #${before}`
  return `animal ${id} ${what} ${when}: the service, or someone else, did that`
}

/** A page hides animals. */
export function describeUnseen(exchanges: readonly Exchange[]): string | undefined {
  const lists = exchanges.filter((one) => findTarget(one).operation?.operationId === 'listPets')
  const whole = lists.some((one) => {
    const size = Number(/[?&]limit=(\d+)/.exec(one.target)?.[1] ?? limit.schema.default)
    const isRead = one.method === 'GET' && one.answer.status < 300 && !one.answer.isUnseen
    // A service may send any number of animals for a limit that it should refuse.
    const isPage = isRead && size <= limit.schema.maximum
    return isPage && !one.target.includes('status=') && petsOf(one).length < size
  })
  if (whole) return undefined
  return 'no list shows all animals, so that there may be others'
}
