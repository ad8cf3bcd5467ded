// The files of `exec`: --coverage and --har. They describe this run, also when the command fails.
import { toHar } from '../client/to-har.ts'
import { createReport } from '../coverage/report.ts'
import { version } from '../generated/version.ts'
import { MAX_HAR_CHARACTERS, MAX_RECORDED_REQUESTS } from '../limits.ts'
import type { Mock } from '../mock/mock.ts'
import type { LogEntry } from '../world/log-entry.ts'
import { notify } from './output.ts'
import { removeOld, replaceFile } from './replace-file.ts'
import { count } from './wording.ts'

export interface RunFiles {
  readonly coverage?: string | undefined
  readonly har?: string | undefined
}

/** Before the command runs, so that a wrong path does not cost a test run. */
export async function removeOldFiles({ coverage, har }: RunFiles): Promise<void> {
  for (const file of [coverage, har]) if (file !== undefined) await removeOld(file)
}

/** The last requests so far. Not those of the request log, since a reset empties it, and a test may remove its sandbox. */
export function recordRequests({ control }: Mock): readonly LogEntry[] {
  const entries: LogEntry[] = []
  control.subscribe((event) => {
    if (event.type === 'request') entries.push(event.entry)
    if (entries.length > MAX_RECORDED_REQUESTS) entries.shift()
  })
  return entries
}

export async function writeFiles({ coverage, har }: RunFiles, { control }: Mock, url: string, entries: readonly LogEntry[]): Promise<void> {
  if (coverage !== undefined) {
    const counts = control.coverage()
    const { tried, total, percent, requests } = createReport(counts)
    // World-readable: it holds no keys and no values.
    await replaceFile(coverage, `${JSON.stringify(counts, null, 2)}\n`, 0o644)
    notify(`wrote ${coverage}: ${tried} of ${total} cells tried (${percent}%) by ${count(requests, 'request')}`)
  }
  if (har !== undefined) {
    const origin = { version, origin: new URL(url).origin }
    const kept = fitting(entries, (entry) => JSON.stringify(toHar([entry], origin)).length)
    await replaceFile(har, `${JSON.stringify(toHar(kept, origin))}\n`, 0o600)
    notify(`wrote ${har}: ${kept.length < entries.length ? 'the last ' : ''}${count(kept.length, 'request')}`)
  }
}

/** The last entries, as many as fit into one text. */
export function fitting<T>(entries: readonly T[], size: (entry: T) => number, maxCharacters = MAX_HAR_CHARACTERS): readonly T[] {
  let total = 0
  const tooMany = entries.findLastIndex((entry) => {
    total += size(entry)
    return total > maxCharacters
  })
  return entries.slice(tooMany + 1)
}
