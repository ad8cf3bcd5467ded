// The time of work too short for a single look at the clock, and the heap that something holds.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Microseconds for each of many runs. */
export function timeEach(runs: number, work: (run: number) => unknown): number {
  const startedAt = performance.now()
  for (let run = 0; run < runs; run++) work(run)
  return ((performance.now() - startedAt) * 1000) / runs
}

/** Bytes of the heap that are still in use after a full collection. */
export function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
