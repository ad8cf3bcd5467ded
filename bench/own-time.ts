// How long a server keeps others waiting by its own doing. On Linux that is the processor time of
// the thread that answers requests, which neither other processes nor threads beside it add to;
// elsewhere it is the time on the clock.
import { existsSync, readFileSync } from 'node:fs'

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10

/**
 * A counter in milliseconds that goes on while the process of that id does something else than
 * wait.
 */
export function createOwnTime(pid: number): () => number {
  const file = `/proc/${pid}/task/${pid}/stat`
  if (!existsSync(file)) return () => performance.now()
  return () => {
    // The name of the program, in parentheses, may hold spaces; user and system time are the 12th
    // and 13th field behind it.
    const text = readFileSync(file, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  }
}
