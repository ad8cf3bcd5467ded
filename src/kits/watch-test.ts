// What kits do around a test: they find matchers that it does not await and what `failOn` forbids,
// and keep a recording if it fails. In Node they use files. Not for Storybook: a bundler of its
// pages would look for Node's modules.
import type { UsageError } from '../contract/errors.ts'
import type { Alternative, Control } from '../control/control.ts'
import { surprisesOf } from '../control/events.ts'
import {
  describeKeys,
  describeRequest,
  describeRequests,
} from '../control/text/describe-request.ts'
import { describeWayOut } from '../control/text/describe-what-if.ts'
import { isFailure } from '../control/text/reasons.ts'
import { isReference } from '../scenario/document.ts'
import { openScenario } from '../scenario/open.ts'
import { printLiveFault } from '../world/describe-fault.ts'
import type { LiveFault } from '../world/faults.ts'
import { isChange, isLoad, isRequest, type RequestRow, type TimelineRow } from '../world/row.ts'
import type { ReadScenario } from '../world/scenario.ts'
import { SURPRISE_REPORT } from '../world/surprise.ts'
import { isNode, KEY_PREFIX, MISSTEPS, type Misstep } from './kit-options.ts'
import { cancelPending, type Inspection, pointAt } from './matchers.ts'

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

export function openInKit(given: unknown): ReadScenario | Promise<ReadScenario> {
  if (!isNode || !isReference(given)) return openScenario(given)
  return import('../hosts/node/scenario-files.ts').then((files) => files.findScenario(given))
}

export function reportSurprises(control: Control): void {
  const file = isNode ? process.env[SURPRISE_REPORT] : undefined
  if (!file) return
  const { appendFileSync } = process.getBuiltinModule('node:fs')
  control.subscribe((event) =>
    surprisesOf(event).forEach((one) => void appendFileSync(file, `${one}\n`)),
  )
}

/**
 * What a failed test should know of its store. Of other requests with another key, some may be its
 * own.
 */
export function describeStore(
  address: string,
  elsewhere: readonly string[],
  others: readonly RequestRow[] = [],
) {
  const strays = elsewhere.length > 0 ? `Requests went elsewhere: ${elsewhere.join(', ')}.` : ''
  const isOfNoTest = ({ method, sandbox }: RequestRow) =>
    method !== 'OPTIONS' && !sandbox?.startsWith(KEY_PREFIX)
  const keys = describeKeys(others.filter(isOfNoTest))
  return [`The store answers requests to ${address}.`, keys, strays].filter(Boolean).join('\n')
}

/**
 * Call it when a test begins, and the result when it ends: why it fails, what it requested, where
 * its recording is.
 */
export async function watchTest(failOn: readonly Misstep[], watched: Watched) {
  const { rows, faults, hint, alternatives, recording } = watched
  const started = new Set((await faults()).map(({ id }) => id))
  // What a kit loads for a test is not the test's doing.
  const earlier = new Set((await rows()).map(({ id }) => id))
  return async ({ name, hasFailed, callSite, file }: EndedTest) => {
    const unawaited = cancelPending(watched)
    const own = (await rows()).filter(({ id }) => !earlier.has(id))
    const requests = own.filter(isRequest)
    // Since a load, an id may be one that was there before.
    const since = own
      .slice(own.findLastIndex((row) => isChange(row) && isLoad(row)) + 1)
      .filter(isChange)
    const named = since.flatMap((row) =>
      row.method === 'faults.add' && !row.isUndone ? row.changed : [],
    )
    const added = (await faults()).filter(
      ({ id }) => !started.has(id) || named.some((one) => one.id === id),
    )
    // A test that failed may not have come as far as its faults or matchers.
    const isAsked = failOn.includes('unused-fault') && !hasFailed
    // What happens with a probability need not happen.
    const unused = isAsked
      ? added.filter(({ applied, rate = 1 }) => applied === 0 && rate === 1)
      : []
    const idle = unused.map((fault) => `unused-fault: ${printLiveFault(fault)}`)
    const missteps = [...requests.flatMap((row) => describeMisstep(failOn, row)), ...idle]
    const text = [`${JSON.stringify(name)} did what failOn forbids:`, ...missteps].join('\n  ')
    const forbidden = missteps.length > 0 ? pointAt(callSite, new Error(text)) : undefined
    const problem = (hasFailed ? undefined : unawaited) ?? forbidden
    if (!hasFailed && !problem) return undefined
    const failed = requests.findLast(isFailure)
    const wayOut = failed ? describeWayOut(failed, await alternatives(failed).catch(() => [])) : ''
    const log = describeRequests(name, own, `${wayOut}\n${await hint()}`)
    const { id } = failed ?? requests.at(-1) ?? {}
    return {
      problem,
      log,
      saved: file === undefined ? '' : await saveRecording(file, await recording(), id),
    }
  }
}

async function saveRecording(file: string, text: string, id: number | undefined): Promise<string> {
  if (!isNode) return 'record: a recording needs Node'
  const { PRIVATE, replaceFile } = await import('../hosts/node/replace-file.ts')
  const place = id === undefined ? file : `${file} --at ${id}`
  const saving = replaceFile(file, text, PRIVATE).then(
    () => `To see it again: npx animal-store-mock open ${place}`,
  )
  return saving.catch(({ message }: UsageError) => message)
}

function describeMisstep(failOn: readonly Misstep[], row: RequestRow): string[] {
  const kinds = failOn.filter((kind) => MISSTEPS[kind](row))
  const [title, ...details] = describeRequest(row)
  return kinds.length === 0 ? [] : [`${kinds.join(', ')}: ${title}`, ...details]
}
