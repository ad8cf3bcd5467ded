// Keys for a mock that runs on a terminal, as Vite has them: a letter and Enter. Whole lines, so that the terminal stays as it is and
// Ctrl-C, Ctrl-Z and the shell's own editing work as ever.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export interface Key {
  readonly help: string
  run(): void
}

/** Runs what the keys stand for; returns a function that ends it. */
export function listenForKeys(keys: Readonly<Record<string, Key>>): () => void {
  const { stdin } = process
  const lines = createInterface({ input: stdin, terminal: false })
  lines.on('line', (line) => {
    const name = line.trim().toLowerCase()
    if (Object.hasOwn(keys, name)) keys[name]?.run()
  })
  /** A job in the background that reads from its terminal is stopped by the system. */
  const follow = () => {
    if (isInForeground()) lines.resume()
    else lines.pause()
  }
  follow()
  process.on('SIGCONT', follow)
  return () => {
    process.off('SIGCONT', follow)
    lines.close()
    stdin.unref()
  }
}

/** Whether its process group is the terminal's; only Linux tells without another program. */
function isInForeground(): boolean {
  try {
    // After the name, which may have any character in it: state, parent, group, session, terminal, the terminal's group.
    const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return group === foreground
  } catch {
    return true
  }
}
