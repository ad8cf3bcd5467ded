// How much memory a process has, by what the system says of it.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import type { Running } from '../support/cli-process.ts'

/** Bytes in memory. A process that has ended has none, not even before its parent has noticed: then this says how it ended. */
export async function readRss({ child, ended }: Pick<Running, 'child' | 'ended'>): Promise<number> {
  const kibibytes = readKibibytes(child.pid)
  if (kibibytes !== undefined) return Number(kibibytes) * 1024
  const { stderr } = await ended
  throw new Error(`the process ended with ${child.signalCode ?? `exit code ${child.exitCode}`}; it had written: ${stderr}`)
}

function readKibibytes(pid: number | undefined): string | undefined {
  try {
    const file = `/proc/${pid}/status`
    return existsSync('/proc/self/status')
      ? /VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return undefined
  }
}
