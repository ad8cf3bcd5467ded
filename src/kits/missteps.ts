// What `failOn` forbids: requests that a test should not send, and faults that it planned in vain.
import { describeFault } from '../client/describe-fault.ts'
import { contract } from '../generated/contract.ts'
import type { LiveFault } from '../world/faults.ts'
import type { JournalEntry } from '../world/journal-entry.ts'
import { failAt } from './call-site.ts'
import { describeRequest } from './describe-request.ts'

/** What `failOn` can name. */
export type Misstep = 'unknown-path' | 'deprecated' | 'bad-request' | 'unused-fault'

export const MISSTEPS: Readonly<Record<Misstep, (entry: JournalEntry) => boolean>> = {
  'unknown-path': ({ operation, method }) => operation === null && method !== 'OPTIONS',
  deprecated: ({ operation }) => operation !== null && contract.operations[operation].deprecated,
  // A fault may send such a status too, and says nothing about the request.
  'bad-request': ({ operation, status, faults }) => operation !== null && [400, 413, 415].includes(status) && faults.length === 0,
  // Not a matter of one request.
  'unused-fault': () => false,
}

/** A test that is over. */
interface EndedTest {
  readonly name: string
  readonly entries: readonly JournalEntry[]
  /** The faults in the end. */
  readonly faults: readonly LiveFault[]
  /** The ids of those that it started with. */
  readonly started: ReadonlySet<string>
  readonly hasFailed: boolean
  readonly callSite?: string | undefined
}

/** The failure of a test that did what `failOn` forbids; undefined if it did nothing of the kind. */
export function findMissteps(failOn: readonly Misstep[], test: EndedTest): Error | undefined {
  const { name, entries, callSite = '' } = test
  const sent = entries.flatMap((entry) => {
    const kinds = failOn.filter((kind) => MISSTEPS[kind](entry))
    const [title, ...details] = describeRequest(entry)
    return kinds.length === 0 ? [] : [`${kinds.join(', ')}: ${title}`, ...details]
  })
  if (sent.length > 0) return failAt(callSite, [`${JSON.stringify(name)} sent requests that failOn forbids:`, ...sent].join('\n  '))
  const unused = failOn.includes('unused-fault') ? findUnused(test) : []
  if (unused.length === 0) return undefined
  return failAt(callSite, [`${JSON.stringify(name)} planned faults that were not applied:`, ...unused].join('\n  '))
}

/** A test that failed may not have come that far, and what happens with a probability need not happen. */
function findUnused({ faults, started, hasFailed }: EndedTest): string[] {
  const unused = faults.filter(({ id, applied, rate = 1 }) => applied === 0 && rate === 1 && !started.has(id))
  const describe = (fault: LiveFault) =>
    `unused-fault: ${fault.operation} ${describeFault(fault)} (id ${fault.id}; calls that it saw: ${fault.seen})`
  return hasFailed ? [] : unused.map(describe)
}
