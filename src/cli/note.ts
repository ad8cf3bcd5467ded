// What the command line has to say beside its output, a line each, to stderr.

export function note(text: string): void {
  process.stderr.write(`animal-store-mock: ${text}\n`)
}
