// Sends the probes to the real service: two a second, redirects not followed, nothing more after
// 429 or 503.
import { contract, type Pet } from '../contract/generated/contract.ts'
import { FUNCTION, type OptionSchemas, readOptions } from '../contract/options.ts'
import { baseUrlSchema } from '../mock/base-address.ts'
import { wait } from '../mock/respond.ts'
import { apiKeySchema } from '../scenario/settings/access.ts'
import { type Answer, describeAnswer, petsOf, type Trial } from './answer.ts'
import { type Calibration, judge } from './judge.ts'
import { createProbes, describeProbe, fillProbe, needsAnimal, TIERS, type Tier } from './probe.ts'
import { parseAddress, sendProbe } from './send-probe.ts'

export type { Calibration, Finding, Verdict } from './judge.ts'

/** Whom to ask, and how far to go. */
export interface CalibrateOptions {
  /** The address of the service, with its `/v1`: https, or http on this machine. */
  readonly baseUrl: string | URL
  /** A valid API key. It is sent to the service, and shown nowhere. */
  readonly apiKey: string
  /** Sends the requests. @default the global `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * `read` sends GET only; `refused-writes` adds invalid animals; `create-animal` adds a valid one.
   * @default 'read'
   */
  readonly probe?: Tier | undefined
}

const schemas: OptionSchemas<CalibrateOptions> = {
  ...baseUrlSchema,
  apiKey: apiKeySchema,
  fetch: FUNCTION,
  probe: { enum: TIERS },
}
const { basePath, operations } = contract
const PAUSE_MS = 500
const HINTS: Record<number, string> = {
  401: '; is the key right?',
  404: `; does the address end in ${basePath}?`,
}

/**
 * Asks the real service what the spec leaves open, and checks its responses against the spec.
 *
 * @example
 * const baseUrl = 'https://staging.example.com/v1'
 * const { outcome, findings } = await calibrate({ baseUrl, apiKey })
 */
export async function calibrate(options: CalibrateOptions): Promise<Calibration> {
  const read = readOptions('calibrate', schemas, options, ['baseUrl', 'apiKey'])
  const { probe: tier = 'read', baseUrl, apiKey, fetch = globalThis.fetch } = read
  const base = parseAddress(baseUrl)
  const date = new Date().toISOString().slice(0, 10)
  const trials: Trial[] = []
  let pet: Pet | undefined
  for (const template of createProbes(tier)) {
    const last = trials.at(-1)?.response
    if (needsAnimal(template) && !pet) continue
    if (template.ifRefused && !isRefusal(last)) continue
    if (last) await wait(PAUSE_MS, undefined)
    const probe = fillProbe(template, pet, date)
    let response = await sendProbe(probe, base, apiKey, fetch)
    if (!last) {
      response = requireList(response)
      pet = petsOf(response).at(-1)
    }
    trials.push({ label: describeProbe(template), probe, response })
    const isBusy = response.status === 429 || response.status === 503
    const isUnusable = !last && response.problem !== undefined
    if (isBusy || isUnusable) break
  }
  const { findings, ...result } = judge(base.host, trials)
  // A service may repeat the key.
  const redacted = findings.map((one) => ({ ...one, detail: one.detail.replaceAll(apiKey, '…') }))
  return { ...result, findings: redacted }
}

/** Without the list nothing else can be judged, and a refused key is not tried again. */
function requireList(answer: Answer): Answer {
  const isList = answer.status === operations.listPets.success && answer.json !== undefined
  if (answer.problem !== undefined || isList) return answer
  const hint = HINTS[answer.status] ?? ''
  return { ...answer, problem: describeAnswer(answer) + hint }
}

const isRefusal = (answer: Answer | undefined): boolean =>
  answer !== undefined && answer.status >= 400 && answer.problem === undefined
