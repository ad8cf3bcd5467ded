// Decides which scenarios that were sent are read in a thread, so that others need not wait, and keeps loads in the order in which
// they came: a short one that comes behind a long one waits for it.
import type { LoadingPath } from '../../control/sent-scenario.ts'
import type { Scenario } from '../../world/situation.ts'

type Load = (path: LoadingPath, body: Uint8Array) => Promise<Scenario>

/** A shorter body is read sooner than a thread starts. */
const MIN_THREAD_BYTES = 64 * 2 ** 10
/** A few bytes can ask for many animals: a number of four digits behind this word, which may be written with escapes. */
const MAY_GENERATE = /generate|\\[uUx]/
const MANY = /\d{4}|\d[eE]|0[xo]/

/** Node cannot run TypeScript in a thread, so from source everything is read at once. */
const CAN_THREAD = !import.meta.url.endsWith('.ts')

/** The scenario of a body that takes long, or that has to wait for one; undefined if neither. One thread runs at a time. */
export function createLoadQueue(load: Load, canThread = CAN_THREAD): (...args: Parameters<Load>) => Promise<Scenario> | undefined {
  let last: Promise<unknown> | undefined
  return (path, body) => {
    if (!canThread || (!last && !takesLong(body))) return undefined
    const scenario = (last ?? Promise.resolve()).then(() => load(path, body))
    const ended = scenario.then(forget, forget)
    last = ended
    return scenario

    function forget(): void {
      if (last === ended) last = undefined
    }
  }
}

function takesLong(body: Uint8Array): boolean {
  if (body.length >= MIN_THREAD_BYTES) return true
  const text = new TextDecoder().decode(body)
  return MAY_GENERATE.test(text) && MANY.test(text)
}
