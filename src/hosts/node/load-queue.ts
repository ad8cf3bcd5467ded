// Decides which scenarios that were sent are read in a thread, so that others need not wait, and keeps them in the order in which
// they came: a short one that comes behind a long one waits for it.

/** A shorter body is read sooner than a thread starts. */
export const MIN_THREAD_BYTES = 64 * 2 ** 10
/** A few bytes can ask for many animals: a number of four digits behind this word, which may be written with escapes. */
const MAY_GENERATE = /generate|\\[uUx]/
const MANY = /\d{4}|\d[eE]|0[xo]/

/** Node cannot run TypeScript in a thread, so from source everything is read at once. */
export const CAN_THREAD = !import.meta.url.endsWith('.ts')

/** Runs `read`, in its turn, for a body that takes long or that has to wait for one; undefined if neither. One runs at a time. */
export type LoadQueue = <T>(body: Uint8Array, read: () => Promise<T>) => Promise<T> | undefined

export function createLoadQueue(canThread = CAN_THREAD): LoadQueue {
  let last: Promise<unknown> | undefined
  return (body, read) => {
    if (!canThread || (!last && !takesLong(body))) return undefined
    const result = (last ?? Promise.resolve()).then(read)
    const ended = result.then(forget, forget)
    last = ended
    return result

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
