// What a command writes: its result to stdout, messages to stderr.
import { escapeUnsafe } from '../client/escape.ts'
import { UsageError } from '../contract/errors.ts'

/** Writes to stdout and waits until it is written. A closed pipe (`| head`) is not an error; a full disk is. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: (Error & { readonly code?: string }) | null) => {
      if (!error) resolve()
      else if (error.code === 'EPIPE') process.exit()
      else reject(new UsageError(`stdout: cannot be written (${error.code})`))
    }
    // The stream reports a failure twice: to the callback, and by an event that ends the process if it has no listener.
    if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', settle)
    process.stdout.write(text, settle)
  })
}

/** Writes to stderr; a closed pipe is ignored. */
export function say(text: string): void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
  process.stderr.write(text)
}

/** Prints a separate line. Control characters in what it quotes are escaped. */
export function notify(text: string): void {
  say(`animal-store-mock: ${escapeUnsafe(text)}\n`)
}
