// What a kit says when a test ends: whether it did what `failOn` forbids, and its request log if it failed.
import { describeFault } from '../client/describe-fault.ts'
import { contract } from '../generated/contract.ts'
import type { LiveFault } from '../world/faults.ts'
import type { JournalEntry } from '../world/journal-entry.ts'
import { pointAt } from './call-site.ts'
import { describeJournal, describeRequest } from './describe-request.ts'

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
export interface EndedTest {
  readonly name: string
  readonly hasFailed: boolean
  /** The stack frame of its definition. */
  readonly callSite: string
  /** The failure of a matcher that it did not await. */
  readonly unawaited: Error | undefined
  readonly entries: readonly JournalEntry[]
  /** The faults in the end. */
  readonly faults: readonly LiveFault[]
  /** The ids of those that it started with. */
  readonly started: ReadonlySet<string>
}

/** The failure of a test that is over, if it has to fail, and the log of one that fails. */
export function endTest(failOn: readonly Misstep[], test: EndedTest): { readonly problem?: Error | undefined; readonly log?: string } {
  const { name, hasFailed, callSite, unawaited, entries } = test
  const missteps = [...describeSent(failOn, entries), ...(failOn.includes('unused-fault') ? describeUnused(test) : [])]
  const own = new Error([`${JSON.stringify(name)} did what failOn forbids:`, ...missteps].join('\n  '))
  // A test that failed may have been waiting for a matcher when its time was up.
  const problem = (hasFailed ? undefined : unawaited) ?? (missteps.length > 0 ? pointAt(callSite, own) : undefined)
  return hasFailed || problem ? { problem, log: describeJournal(name, entries) } : {}
}

function describeSent(failOn: readonly Misstep[], entries: readonly JournalEntry[]): string[] {
  return entries.flatMap((entry) => {
    const kinds = failOn.filter((kind) => MISSTEPS[kind](entry))
    const [title, ...details] = describeRequest(entry)
    return kinds.length === 0 ? [] : [`${kinds.join(', ')}: ${title}`, ...details]
  })
}

/** A test that failed may not have come that far, and what happens with a probability need not happen. */
function describeUnused({ faults, started, hasFailed }: EndedTest): string[] {
  const unused = hasFailed ? [] : faults.filter(({ id, applied, rate = 1 }) => applied === 0 && rate === 1 && !started.has(id))
  return unused.map(
    (fault) => `unused-fault: ${fault.operation} ${describeFault(fault)} (id ${fault.id}; calls that it saw: ${fault.seen})`,
  )
}
