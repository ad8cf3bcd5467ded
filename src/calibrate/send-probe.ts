// Sends one probe to the real service.
import { staysHere } from '../contract/address.ts'
import { mismatch } from '../contract/errors.ts'
import { contract } from '../contract/generated/contract.ts'
import { version } from '../contract/generated/version.ts'
import { JSON_TYPE } from '../contract/int64-json.ts'
import { MAX_CALIBRATED_BODY_BYTES } from '../contract/limits.ts'
import { readStream } from '../mock/read-stream.ts'
import type { RawExchange } from './exchange.ts'
import { headersOf, methodOf, type Probe } from './probe.ts'

const TIMEOUT_MS = 10_000
const USER_AGENT = `animal-store-mock/${version} calibrate`

/** Plain http only on this machine, since the key is sent there. */
export function parseAddress(given: string | URL): URL {
  const text = String(given)
  const url = /^https?:\/\/[^?#@]+$/i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (url && (url.protocol === 'https:' || staysHere(url.hostname))) return url
  throw mismatch(
    'baseUrl',
    'an https address like https://staging.example.com/v1 (http only on this machine)',
  )
}

/** The place of a probe, and where and how it is sent. */
export interface Sending {
  readonly row: number
  readonly base: URL
  readonly apiKey: string
  readonly fetch: typeof globalThis.fetch
}

export async function sendProbe(probe: Probe, sending: Sending): Promise<RawExchange> {
  const { row, apiKey } = sending
  const method = methodOf(probe)
  const headers = headersOf(probe, apiKey)
  const sent = { row, method, target: probe.target, requestHeaders: new Headers(headers) }
  const start = Date.now()
  const received = await send(probe, headers, sending)
  const end = Date.now()
  return { ...sent, requestBody: probe.body, start, end, ...received }
}

type Received = Pick<RawExchange, 'status' | 'responseHeaders' | 'responseBody' | 'problem'>

async function send(
  probe: Probe,
  own: Record<string, string>,
  sending: Sending,
): Promise<Received> {
  const { base, fetch } = sending
  const url = base.href.replace(/\/+$/, '') + probe.target.slice(contract.basePath.length)
  const headers = { accept: JSON_TYPE, 'user-agent': USER_AGENT, ...own }
  try {
    const response = await fetch(url, {
      method: methodOf(probe),
      headers,
      body: probe.body ?? null,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { status, headers: responseHeaders } = response
    const responseBody = await readBody(response)
    if (responseBody !== undefined) return { status, responseHeaders, responseBody }
    return fail(`${status} with more than ${MAX_CALIBRATED_BODY_BYTES} bytes`)
  } catch (error) {
    // Not the message, which can quote what was sent.
    const { name, cause } = error as Error & { readonly cause?: { readonly code?: unknown } }
    return fail(`no complete response (${cause?.code ?? name})`)
  }
}

function fail(problem: string): Received {
  return { status: 0, responseHeaders: new Headers(), responseBody: undefined, problem }
}

/** Undefined if it is too long. `fetch` has decompressed it, so that the limit is for the text. */
async function readBody(response: Response): Promise<string | undefined> {
  if (!response.body) return ''
  const bytes = await readStream(response.body, MAX_CALIBRATED_BODY_BYTES)
  if (bytes.length > MAX_CALIBRATED_BODY_BYTES) return undefined
  return new TextDecoder().decode(bytes)
}
