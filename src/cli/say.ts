// What the command line has to say beside its output: to stderr.

/** Says it, to nobody if need be: that the reader has gone is no reason to fall over. */
export function say(text: string): void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
  process.stderr.write(text)
}

/** A line of its own. */
export function note(text: string): void {
  say(`animal-store-mock: ${text}\n`)
}
