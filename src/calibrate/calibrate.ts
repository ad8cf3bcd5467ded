// Sends the probes to the real service: two a second, redirects not followed, nothing more after 429 or 503.
import { checkValue, type Schema } from '../contract/schema.ts'
import { contract, type Pet } from '../generated/contract.ts'
import { version } from '../generated/version.ts'
import { MAX_CALIBRATED_BODY_BYTES } from '../limits.ts'
import { wait } from '../mock/fetch.ts'
import { documentSchema } from '../scenario/document.ts'
import { apiKeySchema } from '../settings/rows.ts'
import type { Scenario } from '../world/scenario.ts'
import { describeResponse, type Exchange, petsOf, type Response, readResponse } from './exchange.ts'
import { type Calibration, judge } from './judge.ts'
import { createProbes, describeProbe, headersOf, type Probe, parseAddress, TIERS, type Tier } from './probes.ts'

export type { Calibration, Finding, Verdict } from './judge.ts'

/** Whom to ask, and how far to go. */
export interface CalibrateOptions {
  /** The address of the service, with its `/v1`: https, or http on this machine. */
  readonly baseUrl: string | URL
  /** A valid API key. It is sent to the service, and shown nowhere. */
  readonly apiKey: string
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch
  /** `read` (the default) sends GET only, `refused-writes` also invalid animals, `create-animal` also creates an animal. */
  readonly probe?: Tier
  /** The scenario of an earlier result to compare with; the mock's defaults by default. */
  readonly expect?: Scenario
}

const optionsSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['baseUrl', 'apiKey'],
  properties: { baseUrl: {}, apiKey: apiKeySchema, fetch: {}, probe: { enum: TIERS }, expect: documentSchema },
}
const PAUSE_MS = 500
const TIMEOUT_MS = 10_000
const HINTS: Readonly<Record<number, string>> = { 401: '; is the key right?', 404: `; does the address end in ${contract.basePath}?` }

/**
 * Asks the real service what the spec leaves open, and checks its responses against the spec.
 *
 * @example
 * const { outcome, findings } = await calibrate({ baseUrl: 'https://staging.example.com/v1', apiKey })
 */
export async function calibrate(options: CalibrateOptions): Promise<Calibration> {
  const { probe: tier = 'read', expect } = checkValue(optionsSchema, options, 'calibrate')
  const base = parseAddress(options.baseUrl)
  const date = new Date().toISOString().slice(0, 10)
  const exchanges: Exchange[] = []
  let pets: Pet[] = []
  for (const [index, label] of createProbes(tier).map(describeProbe).entries()) {
    const probe = createProbes(tier, pets.at(-1), date)[index] as Probe
    const { status = 0, problem } = exchanges.at(-1)?.response ?? {}
    const isRefused = status >= 400 && problem === undefined
    if ((probe.needsAnimal && pets.length === 0) || (probe.ifRefused && !isRefused)) continue
    if (index > 0) await wait(PAUSE_MS, undefined)
    const sent = await send(probe, base, options)
    const response = index > 0 ? sent : requireList(sent)
    if (index === 0) pets = petsOf(response)
    exchanges.push({ label, probe, response })
    if (response.status === 429 || response.status === 503 || (index === 0 && response.problem !== undefined)) break
  }
  return judge({ against: base.host, exchanges, probe: tier, expect })
}

async function send(probe: Probe, base: URL, { apiKey, fetch = globalThis.fetch }: CalibrateOptions): Promise<Response> {
  const { method, target, body = null } = probe
  const ours = { accept: 'application/json', 'user-agent': `animal-store-mock/${version} calibrate` }
  const headers = { ...ours, ...headersOf(probe, apiKey) }
  const url = base.href.replace(/\/+$/, '') + target.slice(contract.basePath.length)
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, { method, headers, redirect: 'manual', signal, body })
    return readResponse(response.status, response.headers, await readBody(response), apiKey)
  } catch (error) {
    // Not the message, which can quote what was sent.
    const { cause } = error as { cause?: { code?: unknown } }
    return { status: 0, headers: new Map(), problem: `no complete response (${String(cause?.code ?? (error as Error).name)})` }
  }
}

/** Undefined if it is longer than anything that the service should send. */
async function readBody({ body }: globalThis.Response): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_CALIBRATED_BODY_BYTES) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Without the list nothing else can be judged, and a refused key is not tried again. */
function requireList(response: Response): Response {
  const isList = response.status === contract.operations.listPets.success && response.json !== undefined
  if (response.problem !== undefined || isList) return response
  return { ...response, problem: describeResponse(response) + (HINTS[response.status] ?? '') }
}
