// How the property-based specs run: with the seed in sight.
import fc, { type IAsyncProperty, type RunDetails } from 'fast-check'

/** Checks a property, the examples first, with a seed that it prints; SPEC_SEED repeats an earlier run. */
export async function checkProperty<T>(title: string, runs: number, property: IAsyncProperty<T>, examples: T[] = []): Promise<void> {
  const seed = process.env.SPEC_SEED ? Number(process.env.SPEC_SEED) : Date.now() | 0
  const startedAt = performance.now()
  const details: RunDetails<T> = await fc.check(property, { numRuns: runs, seed, examples })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${title}: ${details.numRuns} of ${runs} runs in ${seconds} s; repeat with SPEC_SEED=${seed}`)
  if (details.failed) throw new Error(fc.defaultReportMessage(details) ?? 'a counterexample', { cause: details.errorInstance })
}
