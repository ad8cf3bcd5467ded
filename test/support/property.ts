// How the property-based specs run: with the seed in sight, and as often as the environment wants
// it.
import fc, { type IAsyncProperty, type RunDetails } from 'fast-check'

/** How many times more than usual; the scheduled workflow sets it. */
export const RUNS_FACTOR = Number(process.env.RUNS_FACTOR ?? 1)

/**
 * Checks a property, the examples first, with a seed that it prints; SPEC_SEED repeats an earlier
 * run.
 */
export async function checkProperty<T>(
  title: string,
  usualRuns: number,
  property: IAsyncProperty<T>,
  examples: T[] = [],
): Promise<void> {
  const seed = process.env.SPEC_SEED ? Number(process.env.SPEC_SEED) : Date.now() | 0
  const runs = usualRuns * RUNS_FACTOR
  const details: RunDetails<T> = await fc.check(property, { numRuns: runs, seed, examples })
  console.log(`${title}: ${details.numRuns} of ${runs} runs; repeat with SPEC_SEED=${seed}`)
  if (details.failed)
    throw new Error(fc.defaultReportMessage(details) ?? 'a counterexample', {
      cause: details.errorInstance,
    })
}
