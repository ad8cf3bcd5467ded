// What a kit watches during a test: matchers that it does not await, and what `failOn` forbids.
import type { Alternative } from '../control/control.ts'
import { contract } from '../generated/contract.ts'
import { describeFault } from '../render/describe-fault.ts'
import { describeWayOut } from '../render/differences.ts'
import { describeRequest, describeRequests } from '../render/rows.ts'
import type { LiveFault } from '../world/faults.ts'
import type { RequestRow, TimelineRow } from '../world/row.ts'
import { cancelPending, type Inspection, pointAt } from './matchers.ts'

export type Misstep = 'unknown-path' | 'deprecated' | 'bad-request' | 'unused-fault'

type Watched = Inspection & {
  /** Where a test added a fault, if that is known. */
  siteOf?(id: string): string | undefined
  faults(): readonly LiveFault[] | Promise<readonly LiveFault[]>
  rows(): readonly TimelineRow[] | Promise<readonly TimelineRow[]>
  alternatives(row: RequestRow): Promise<readonly Alternative[]>
}

export interface EndedTest {
  /** With the names of the blocks that it is in. */
  readonly name: string
  readonly hasFailed: boolean
  /** The stack frame of its definition, or where its store was made. */
  readonly callSite: string
}

/** Why a test fails, the log of that, and the row to look at: the last refused request, or the last one. */
interface Ended {
  readonly problem?: Error | undefined
  readonly log?: string
  readonly at?: number | undefined
}

export const MISSTEPS: Readonly<Record<Misstep, (entry: RequestRow) => boolean>> = {
  'unknown-path': ({ operation, method }) => operation === null && method !== 'OPTIONS',
  deprecated: ({ operation }) => operation !== null && contract.operations[operation].deprecated,
  // A fault may send such a status too, and says nothing about the request.
  'bad-request': ({ operation, status, faults }) => operation !== null && [400, 413, 415].includes(status) && faults.length === 0,
  // Not a matter of one request.
  'unused-fault': () => false,
}

/** Call it when a test begins. Call the result when it ends, to learn why it fails and what it requested. */
export async function watchTest(failOn: readonly Misstep[], { pending, rows, faults, hint, siteOf, alternatives }: Watched) {
  const started = new Set((await faults()).map(({ id }) => id))
  // What a kit loads for a test is not the test's doing.
  const earlier = new Set((await rows()).map(({ id }) => id))
  return async ({ name, hasFailed, callSite }: EndedTest): Promise<Ended> => {
    const unawaited = cancelPending(pending)
    const own = (await rows()).filter(({ id }) => !earlier.has(id))
    const entries = own.filter((row) => row.type === 'request')
    const added = (await faults()).filter(({ id }) => !started.has(id))
    // A test that failed may not have come as far as its faults or matchers.
    const unused = hasFailed || !failOn.includes('unused-fault') ? [] : added.filter(isUnused)
    const missteps = [...describeSent(failOn, entries), ...unused.map(describeUnused)]
    const forbidden = new Error([`${JSON.stringify(name)} did what failOn forbids:`, ...missteps].join('\n  '))
    const site = unused.map(({ id }) => siteOf?.(id)).find(Boolean) ?? callSite
    const problem = (hasFailed ? undefined : unawaited) ?? (missteps.length > 0 ? pointAt(site, forbidden) : undefined)
    if (!hasFailed && !problem) return {}
    const refused = entries.findLast(({ status }) => status >= 400)
    const wayOut = refused ? describeWayOut(refused, await alternatives(refused).catch(() => [])) : ''
    const { id: at } = refused ?? entries.at(-1) ?? {}
    return { problem, at, log: describeRequests(name, own, [wayOut, await hint()].filter(Boolean).join('\n')) }
  }
}

function describeSent(failOn: readonly Misstep[], entries: readonly RequestRow[]): string[] {
  return entries.flatMap((entry) => {
    const kinds = failOn.filter((kind) => MISSTEPS[kind](entry))
    const [title, ...details] = describeRequest(entry)
    return kinds.length === 0 ? [] : [`${kinds.join(', ')}: ${title}`, ...details]
  })
}

/** What happens with a probability need not happen. */
function isUnused({ applied, rate = 1 }: LiveFault): boolean {
  return applied === 0 && rate === 1
}

function describeUnused(fault: LiveFault): string {
  return `unused-fault: ${describeFault(fault)} (id ${fault.id}; calls that it saw: ${fault.seen})`
}
