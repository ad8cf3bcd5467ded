// What `failOn` forbids: requests that a test should not send, and faults that it planned in vain.
import { contract } from '../generated/contract.ts'
import type { JournalEntry } from '../world/journal-entry.ts'
import { failAt } from './call-site.ts'
import { describeRequest } from './describe-request.ts'

/** What `failOn` can name. */
export type Misstep = 'unknown-path' | 'deprecated' | 'bad-request'

export const MISSTEPS: Readonly<Record<Misstep, (entry: JournalEntry) => boolean>> = {
  'unknown-path': ({ operation, method }) => operation === null && method !== 'OPTIONS',
  deprecated: ({ operation }) => operation !== null && contract.operations[operation].deprecated,
  // A fault may send such a status too, and says nothing about the request.
  'bad-request': ({ operation, status, faults }) => operation !== null && [400, 413, 415].includes(status) && faults.length === 0,
}

/** The failure of a test that sent what `failOn` forbids; undefined if it sent nothing of the kind. */
export function findMissteps(test: string, failOn: readonly Misstep[], entries: readonly JournalEntry[], callSite = ''): Error | undefined {
  const found = entries.flatMap((entry) => {
    const kinds = failOn.filter((kind) => MISSTEPS[kind](entry))
    const [title, ...details] = describeRequest(entry)
    return kinds.length === 0 ? [] : [`${kinds.join(', ')}: ${title}`, ...details]
  })
  const problem = [`${JSON.stringify(test)} sent requests that failOn forbids:`, ...found].join('\n  ')
  return found.length === 0 ? undefined : failAt(callSite, problem)
}
