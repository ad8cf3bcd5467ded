// What a person reads when a test has failed: its requests as short lines, keys redacted by the journal, nothing that could move a cursor;
// and whether the test did what `failOn` forbids.
import { describeFault } from '../client/describe-fault.ts'
import { escapeUnsafe } from '../client/escape.ts'
import { cutText } from '../contract/describe-value.ts'
import { contract } from '../generated/contract.ts'
import { SURPRISE_HEADER } from '../surprise/respond.ts'
import type { LiveFault } from '../world/faults.ts'
import type { JournalEntry } from '../world/journal-entry.ts'
import { pointAt } from './call-site.ts'

/** What `failOn` can name. */
export type Misstep = 'unknown-path' | 'deprecated' | 'bad-request' | 'unused-fault'

/** A test that is over. */
export interface EndedTest {
  /** With the names of the blocks that it is in. */
  readonly name: string
  readonly hasFailed: boolean
  /** The stack frame of its definition, or where its store was made. */
  readonly callSite: string
  /** The failure of a matcher that it did not await. */
  readonly unawaited: Error | undefined
  readonly entries: readonly JournalEntry[]
  /** The faults in the end. */
  readonly faults: readonly LiveFault[]
  /** The ids of those that it started with. */
  readonly started: ReadonlySet<string>
}

const MAX_TARGET_CHARACTERS = 120
const MAX_BODY_CHARACTERS = 200
const MAX_JOURNAL_REQUESTS = 20

export const MISSTEPS: Readonly<Record<Misstep, (entry: JournalEntry) => boolean>> = {
  'unknown-path': ({ operation, method }) => operation === null && method !== 'OPTIONS',
  deprecated: ({ operation }) => operation !== null && contract.operations[operation].deprecated,
  // A fault may send such a status too, and says nothing about the request.
  'bad-request': ({ operation, status, faults }) => operation !== null && [400, 413, 415].includes(status) && faults.length === 0,
  // Not a matter of one request.
  'unused-fault': () => false,
}

/** `POST /v1/pets → 400 (key …-key)` and, indented, what differs and what helps to understand the response. */
export function describeRequest(entry: JournalEntry, differences: readonly string[] = []): string[] {
  const { method, target, status, outcome, key, assumptions, faults, surprises, notes, request, error } = entry
  // The error of a fault is deliberate.
  const refusal = faults.length > 0 ? null : error
  const details = [
    ...differences,
    ...(refusal === null ? [] : [`refused: ${refusal}`]),
    ...notes.filter((note) => note !== refusal).map((note) => `note: ${note}`),
    ...Object.entries({ faults, surprises, assumptions }).flatMap(([name, ids]) => (ids.length > 0 ? `${name}: ${ids.join(', ')}` : [])),
    ...(request.body === '' ? [] : [`request body: ${cutText(request.body, MAX_BODY_CHARACTERS)}`]),
  ]
  const result = `${outcome === 'sent' ? status : outcome}${key === null ? '' : ` (key ${key})`}`
  return [`${method} ${cutText(target, MAX_TARGET_CHARACTERS)} → ${result}`, ...details.map((line) => `    ${line}`)].map(escapeUnsafe)
}

/** The last requests of a test, and the seed of the surprises if there were any. */
export function describeJournal(test: string, entries: readonly JournalEntry[]): string {
  const shown = entries.slice(-MAX_JOURNAL_REQUESTS)
  const count = `${entries.length || 'no'} ${entries.length === 1 ? 'request' : 'requests'}`
  const omission = shown.length < entries.length ? `, of which the last ${shown.length}:` : ''
  const seed = entries.map(({ response }) => /^seed=(\d+)/.exec(response.headers[SURPRISE_HEADER] ?? '')?.[1]).find(Boolean)
  const remedy = seed ? ` (surprises of seed ${seed}; to see them again, set ANIMAL_STORE_SURPRISE=${seed})` : ''
  const title = `Request log of ${JSON.stringify(test)}: ${count}${omission}${remedy}`
  return [title, ...shown.flatMap((entry) => describeRequest(entry))].join('\n  ')
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
