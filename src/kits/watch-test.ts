// What kits do around a test: they find matchers that it does not await and what `failOn` forbids,
// and keep a recording if it fails.
import type { Alternative } from '../control/control.ts'
import {
  describeKeys,
  describeRequest,
  describeRequests,
} from '../control/rows/describe-request.ts'
import { isFailure } from '../control/rows/reasons.ts'
import { describeWayOut } from '../control/text/describe-alternatives.ts'
import { printLiveFault } from '../world/describe-fault.ts'
import type { LiveFault } from '../world/faults.ts'
import { isChange, isLoad, isRequest, type RequestRow, type TimelineRow } from '../world/row.ts'
import { pointAt } from './call-site.ts'
import { saveRecording } from './files.ts'
import { KEY_PREFIX, MISSTEPS, type Misstep } from './kit-options.ts'
import type { Inspection } from './matchers.ts'
import { cancelPending } from './pending.ts'

export interface Watched extends Inspection {
  faults(): readonly LiveFault[] | Promise<readonly LiveFault[]>
  rows(): readonly TimelineRow[] | Promise<readonly TimelineRow[]>
  alternatives(row: RequestRow): Promise<readonly Alternative[]>
  recording(): string | Promise<string>
}

/**
 * `name` includes the names of its blocks, `callSite` is where it or its store is, and `file` is
 * for its recording.
 */
export type EndedTest = Readonly<{
  name: string
  hasFailed: boolean
  callSite: string
  file?: string | undefined
}>

/**
 * What a failed test should know of its store. Of other requests with another key, some may be its
 * own.
 */
export function describeStore(
  address: string,
  elsewhere: readonly string[],
  others: readonly RequestRow[] = [],
): string {
  const lines = [`The store answers requests to ${address}.`]
  const keys = describeKeys(others.filter(isOfNoTest))
  if (keys) lines.push(keys)
  if (elsewhere.length > 0) lines.push(`Requests went elsewhere: ${elsewhere.join(', ')}.`)
  return lines.join('\n')
}

const isOfNoTest = (row: RequestRow): boolean =>
  row.method !== 'OPTIONS' && !row.sandbox?.startsWith(KEY_PREFIX)

/**
 * Call it when a test begins, and the result when it ends: why it fails, what it requested, where
 * its recording is.
 */
export async function watchTest(failOn: readonly Misstep[], watched: Watched) {
  const earlierFaults = listIds(await watched.faults())
  // What a kit loads for a test is not the test's doing.
  const earlierRows = listIds(await watched.rows())

  /** A test that failed may not have come as far as its faults. */
  async function findUnusedFaults(test: EndedTest, rows: readonly TimelineRow[]) {
    if (test.hasFailed || !failOn.includes('unused-fault')) return []
    const added = findAddedFaults(rows)
    return (await watched.faults()).filter(
      (fault) => isUnused(fault) && (!earlierFaults.has(fault.id) || added.has(fault.id)),
    )
  }

  return async (test: EndedTest) => {
    const { name, hasFailed, callSite, file } = test
    const unawaited = cancelPending(watched)
    const rows = (await watched.rows()).filter(({ id }) => !earlierRows.has(id))
    const requests = rows.filter(isRequest)
    const missteps = requests.flatMap((row) => describeMisstep(failOn, row))
    for (const fault of await findUnusedFaults(test, rows))
      missteps.push(`unused-fault: ${printLiveFault(fault)}`)
    let problem: Error | undefined
    if (unawaited && !hasFailed) problem = unawaited
    else if (missteps.length > 0) problem = forbid(name, missteps, callSite)
    if (!hasFailed && !problem) return undefined
    const failed = requests.findLast(isFailure)
    const wayOut = failed ? await findWayOut(failed, watched) : ''
    const log = describeRequests(name, rows, `${wayOut}\n${await watched.hint()}`)
    const shown = failed ?? requests.at(-1)
    const saved =
      file === undefined ? '' : await saveRecording(file, await watched.recording(), shown?.id)
    return { problem, log, saved }
  }
}

const listIds = <Id>(items: readonly { readonly id: Id }[]): ReadonlySet<Id> =>
  new Set(items.map(({ id }) => id))

/** The ids of the faults that a test added. After a load, they may equal ids from before it. */
function findAddedFaults(rows: readonly TimelineRow[]): ReadonlySet<unknown> {
  const lastLoad = rows.findLastIndex((row) => isChange(row) && isLoad(row))
  const added = new Set<unknown>()
  for (const row of rows.slice(lastLoad + 1)) {
    if (!isChange(row) || row.method !== 'faults.add' || row.isUndone) continue
    for (const { id } of row.changed) added.add(id)
  }
  return added
}

/** What happens with a probability need not happen. */
const isUnused = ({ applied, rate = 1 }: LiveFault): boolean => applied === 0 && rate === 1

async function findWayOut(failed: RequestRow, watched: Watched): Promise<string> {
  const alternatives = await watched.alternatives(failed).catch(() => [])
  return describeWayOut(failed, alternatives)
}

function forbid(name: string, missteps: readonly string[], callSite: string): Error {
  const lines = [`${JSON.stringify(name)} did what failOn forbids:`, ...missteps]
  return pointAt(callSite, new Error(lines.join('\n  ')))
}

function describeMisstep(failOn: readonly Misstep[], row: RequestRow): string[] {
  const kinds = failOn.filter((kind) => MISSTEPS[kind](row))
  if (kinds.length === 0) return []
  const [title, ...details] = describeRequest(row)
  return [`${kinds.join(', ')}: ${title}`, ...details]
}
