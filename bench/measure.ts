// Rounds and what they say. Two things are only ever compared within a round, so that a machine that is busy for a while
// slows both down alike.

/** The middle of the rounds, and where half of them lie. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

function spread(values: readonly number[]): Spread {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((left, right) => left - right)
  const at = (share: number) => {
    const place = (sorted.length - 1) * share
    const below = sorted[Math.floor(place)] ?? Number.NaN
    const above = sorted[Math.ceil(place)] ?? Number.NaN
    return below + (above - below) * (place - Math.floor(place))
  }
  return { median: at(0.5), low: at(0.25), high: at(0.75) }
}

export const median = (values: readonly number[]): number => spread(values).median

/** Round by round, how many times the second the first is. */
export function ratios(values: readonly number[], bases: readonly number[]): Spread {
  return spread(values.map((value, round) => value / (bases[round] as number)))
}

/** Runs each of the contestants once a round, in an order that turns, and gives their results round by round. */
export async function interleave<Contestant, Result>(
  contestants: readonly Contestant[],
  rounds: number,
  run: (contestant: Contestant) => Promise<Result> | Result,
): Promise<Result[][]> {
  const results: Result[][] = contestants.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (let step = 0; step < contestants.length; step++) {
      const index = round % 2 === 0 ? step : contestants.length - 1 - step
      results[index]?.push(await run(contestants[index] as Contestant))
    }
  }
  return results
}
