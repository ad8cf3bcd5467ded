// Learns the world of a real service: by asking it, or from recorded traffic.
import { misuse } from '../contract/errors.ts'
import {
  BOOLEAN,
  CHECKED_LATER,
  FUNCTION,
  type OptionSchemas,
  readOptions,
  TEXT,
} from '../contract/options.ts'
import { count } from '../contract/problem.ts'
import { doInTurns } from '../contract/turns.ts'
import { withoutUndefined } from '../contract/values.ts'
import { apiKeySchema } from '../scenario/settings/access.ts'
import { assumeSchema } from '../scenario/settings/rows.ts'
import type { SomeChoices } from '../world/scenario.ts'
import { ask } from './ask.ts'
import { createCleaner } from './clean.ts'
import { describeUnseen, describeWorld, listChanges, type Source } from './describe-world.ts'
import type { Exchange } from './exchange.ts'
import { type Calibration, DEVIATIONS, type Finding, type Reasons } from './finding.ts'
import { judge } from './judge.ts'
import { TIERS, type Tier } from './probe.ts'
import { readHar, SKIPS, type Traffic } from './read-har.ts'
import { explainTier, explainTraffic } from './reasons.ts'
import { parseAddress } from './send-probe.ts'

export type { Calibration, Finding, Verdict } from './finding.ts'

/** Whom to ask, or what to read, and what to compare it with. */
export interface CalibrateOptions {
  /** A service to ask, with its `/v1`: https, or http on this machine. @default none */
  readonly baseUrl?: string | URL | undefined
  /** A valid API key of that service. It is sent there, and shown nowhere. @default none */
  readonly apiKey?: string | undefined
  /** Instead of an address: traffic as a HAR, the text of the file or its value. @default none */
  readonly har?: unknown
  /** Sends the requests. @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * `read` sends GET only; `refused-writes` adds invalid animals; `create-animal` adds a valid one.
   * @default 'read'
   */
  readonly probe?: Tier | undefined
  /** The choices already made, such as `assume` of a scenario. @default each question's default */
  readonly assume?: SomeChoices | undefined
  /** The ids of findings that are known and do not count. @default none */
  readonly accept?: readonly string[] | undefined
  /** Leaves the names of animals as they are, instead of inventing others. @default false */
  readonly keepNames?: boolean | undefined
  /** Called with the requests sent or read so far, and how many there are. @default none */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

const schemas: OptionSchemas<CalibrateOptions> = {
  baseUrl: CHECKED_LATER,
  apiKey: apiKeySchema,
  har: CHECKED_LATER,
  fetch: FUNCTION,
  probe: { enum: TIERS },
  assume: assumeSchema,
  accept: { type: 'array', items: TEXT },
  keepNames: BOOLEAN,
  onProgress: FUNCTION,
}

/** What is judged, and how its source limits that. */
interface Collected {
  readonly source: Source
  readonly exchanges: readonly Exchange[]
  readonly reasons: Reasons
  readonly keys?: readonly number[]
  readonly notes: readonly string[]
}

/**
 * Compares a service with the spec and with the mock's choices, and learns its world: from its
 * responses to questions about what the spec leaves open, or from a HAR of its traffic.
 *
 * @example
 * const baseUrl = 'https://staging.example.com/v1'
 * const { outcome, findings } = await calibrate({ baseUrl, apiKey })
 */
export async function calibrate(options: CalibrateOptions): Promise<Calibration> {
  const read = readOptions('calibrate', schemas, options)
  const collected = read.har === undefined ? await askService(read) : readTraffic(read)
  const { source, exchanges, reasons, keys, notes } = collected
  const preset = withoutUndefined(read.assume ?? {})
  const judgement = await doInTurns(judge({ exchanges, reasons, keys, preset }))
  const accepted = new Set(read.accept)
  const findings = judgement.findings.map((one) => ({ ...one, isAccepted: accepted.has(one.id) }))
  const judged = exchanges.filter(({ answer }) => answer.problem === undefined).length
  const unseen = describeUnseen(exchanges)
  return {
    outcome: decideOutcome(findings),
    findings,
    notes: [...listChanges(judgement.worlds), ...(unseen === undefined ? [] : [unseen]), ...notes],
    rows: { judged, explained: judgement.explained },
    scenario: describeWorld(judgement, source),
  }
}

async function askService(options: CalibrateOptions): Promise<Collected> {
  const { baseUrl, apiKey, probe: tier = 'read', fetch = globalThis.fetch } = options
  if (baseUrl === undefined) throw misuse('baseUrl', 'pass the address of a service, or har')
  if (apiKey === undefined) throw misuse('apiKey', 'pass a valid key of the service')
  const base = parseAddress(baseUrl)
  const { clean } = createCleaner(options)
  const onProgress = options.onProgress ?? ignore
  const exchanges = await ask({ tier, clean, base, apiKey, fetch, onProgress })
  const on = new Date().toISOString().slice(0, 10)
  return {
    source: { against: base.host, on },
    exchanges,
    reasons: explainTier(tier),
    keys: [FIRST_KEY],
    notes: [],
  }
}

/** Of the key that the first probe has. */
const FIRST_KEY = 1
const ignore = () => {}

function readTraffic(options: CalibrateOptions): Collected {
  const { har, baseUrl, onProgress = ignore } = options
  if (baseUrl !== undefined) throw misuse('har', 'pass either an address or a HAR')
  const traffic = readHar(har)
  const cleaner = createCleaner(options)
  const exchanges: Exchange[] = []
  for (const raw of traffic.exchanges) {
    exchanges.push(clean(raw, traffic.hasKeys))
    onProgress(exchanges.length, traffic.exchanges.length)
  }
  const { against, on, hasKeys } = traffic
  const shapes = listKeys(exchanges).map(cleaner.describeKey)
  const keys = shapes.length === 0 ? undefined : [...new Set(shapes)].join('; ')
  const notes = describeTraffic(traffic, cleaner, shapes)
  return { source: { against, on, keys }, exchanges, reasons: explainTraffic(hasKeys), notes }

  function clean(raw: Traffic['exchanges'][number], isKeyKnown: boolean): Exchange {
    const exchange = cleaner.clean(raw)
    return isKeyKnown ? exchange : { ...exchange, key: 'unknown' }
  }
}

function listKeys(exchanges: readonly Exchange[]): number[] {
  const keys = exchanges.flatMap(({ key }) => (typeof key === 'number' ? [key] : []))
  return [...new Set(keys)]
}

/** How many of each were skipped or left out, and what the keys look like. */
function describeTraffic(
  traffic: Traffic,
  cleaner: ReturnType<typeof createCleaner>,
  shapes: readonly string[],
): string[] {
  const skipped = SKIPS.filter((skip) => traffic.skipped[skip] > 0)
  const dropped = Object.entries(cleaner.dropped).filter(([, amount]) => amount > 0)
  const notes: string[] = []
  if (skipped.length > 0)
    notes.push(`skipped: ${skipped.map((skip) => `${traffic.skipped[skip]} ${skip}`).join(', ')}`)
  const names = cleaner.countNames()
  if (names > 0) notes.push(`${count(names, 'name')} replaced by invented ones`)
  if (dropped.length > 0)
    notes.push(`left out: ${dropped.map(([kind, amount]) => `${amount} ${kind}`).join(', ')}`)
  for (const shape of shapes) notes.push(`a key that is not written has ${shape}`)
  if (shapes.length > 1)
    notes.push('each key has a world of its own; the one of most requests is written')
  return notes
}

function decideOutcome(findings: readonly Finding[]): Calibration['outcome'] {
  const counted = findings.filter(({ isAccepted }) => !isAccepted)
  const verdicts = new Set(counted.map(({ verdict }) => verdict))
  if (DEVIATIONS.some((one) => verdicts.has(one))) return 'differs'
  if (verdicts.has('could not check')) return 'could not check'
  return findings.length > 0 ? 'matches' : 'could not check'
}
