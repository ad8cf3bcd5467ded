// Which choices explain most responses. They are judged together: a response may fit with either of
// two choices only if a third is made.
import { type AssumptionId, assumptions } from '../contract/generated/contract.ts'
import type { Exchange } from './exchange.ts'
import type { Choices } from './model.ts'

/** What a response shows: it fits with any of these combinations, or with none. */
export interface Clue {
  readonly exchange: Exchange
  /** The questions that it is about. */
  readonly about: readonly AssumptionId[]
  readonly fits: readonly Choices[]
}

export interface Chosen {
  readonly choices: Choices
  /** Other choices for a question that explain as much. */
  readonly ties: ReadonlyMap<AssumptionId, readonly string[]>
}

/** How many combinations are followed. */
const BEAM_WIDTH = 16

export function chooseTogether(clues: readonly Clue[], preset: Choices): Chosen {
  const kinds = groupAlike(clues)
  const score = (choices: Choices): number => {
    let explained = 0
    for (const { clue, amount } of kinds) if (allows(clue, choices)) explained += amount
    return explained
  }
  let beam: Choices[] = [{}]
  for (const id of listOpen(clues)) {
    const longer = beam.flatMap((choices) => {
      return orderChoices(id, preset).map((choice) => ({ ...choices, [id]: choice }))
    })
    const scored = longer.map((choices) => ({ choices, score: score(choices) }))
    scored.sort((one, other) => other.score - one.score)
    beam = scored.slice(0, BEAM_WIDTH).map(({ choices }) => choices)
  }
  const [best = {}] = beam
  const ties = new Map<AssumptionId, readonly string[]>()
  for (const id of Object.keys(best) as AssumptionId[]) {
    const equal = orderChoices(id, preset).filter((choice) => {
      return choice !== best[id] && score({ ...best, [id]: choice }) === score(best)
    })
    if (equal.length > 0) ties.set(id, equal)
  }
  return { choices: best, ties }
}

/** Whether a combination of the clue agrees with what has been chosen so far. */
export function allows({ fits }: Pick<Clue, 'fits'>, choices: Choices): boolean {
  return fits.some((fit) => {
    return (Object.keys(fit) as AssumptionId[]).every((id) => {
      return choices[id] === undefined || choices[id] === fit[id]
    })
  })
}

/** The questions of which another answer alone would explain it; without one, all of them. */
export function findContradicted(clue: Clue, choices: Choices): readonly AssumptionId[] {
  const alone = clue.about.filter((id) => allows(clue, { ...choices, [id]: undefined }))
  return alone.length > 0 ? alone : clue.about
}

/** Long traffic shows the same again and again. */
function groupAlike(clues: readonly Clue[]) {
  const kinds = new Map<string, { clue: Clue; amount: number }>()
  for (const clue of clues) {
    const name = JSON.stringify(clue.fits)
    const known = kinds.get(name)
    if (known) known.amount++
    else kinds.set(name, { clue, amount: 1 })
  }
  return [...kinds.values()]
}

function listOpen(clues: readonly Clue[]): AssumptionId[] {
  const named = new Set(clues.flatMap(({ about }) => about))
  return assumptions.map(({ id }) => id).filter((id) => named.has(id))
}

/** The preset first, so that it wins a draw. */
function orderChoices(id: AssumptionId, preset: Choices): readonly string[] {
  const choices: readonly string[] = assumptions.find((one) => one.id === id)?.choices ?? []
  const own = preset[id]
  return own === undefined ? choices : [own, ...choices.filter((one) => one !== own)]
}
