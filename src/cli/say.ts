// What the command line says besides its output: to stderr.
import { escapeUnsafe } from '../escape.ts'

/** Writes to stderr; a closed pipe is ignored. */
export function say(text: string): void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
  process.stderr.write(text)
}

/** A line of its own; what it quotes can do no harm. */
export function note(text: string): void {
  say(`animal-store-mock: ${escapeUnsafe(text)}\n`)
}

/** `200–800 ms for every response`. */
export function toLatencyText(latency: number | readonly [number, number]): string {
  return `${[latency].flat().join('–')} ms for every response`
}

/** How many animals, in words. */
export function toAnimals(count: number): string {
  return `${count} animal${count === 1 ? '' : 's'}`
}
