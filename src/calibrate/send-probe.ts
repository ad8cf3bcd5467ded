// Sends one probe to the real service.
import { staysHere } from '../contract/address.ts'
import { mismatch } from '../contract/errors.ts'
import { contract } from '../contract/generated/contract.ts'
import { version } from '../contract/generated/version.ts'
import { JSON_TYPE } from '../contract/int64-json.ts'
import { MAX_CALIBRATED_BODY_BYTES } from '../contract/limits.ts'
import { readStream } from '../mock/read-stream.ts'
import { type Answer, readAnswer } from './answer.ts'
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

export async function sendProbe(
  probe: Probe,
  base: URL,
  apiKey: string,
  send: typeof globalThis.fetch,
): Promise<Answer> {
  const url = base.href.replace(/\/+$/, '') + probe.target.slice(contract.basePath.length)
  const headers = { accept: JSON_TYPE, 'user-agent': USER_AGENT, ...headersOf(probe, apiKey) }
  try {
    const response = await send(url, {
      method: methodOf(probe),
      headers,
      body: probe.body ?? null,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { status, headers: fields } = response
    const body = await readBody(response)
    if (body !== undefined) return readAnswer(status, fields, body)
    return fail(`${status} with more than ${MAX_CALIBRATED_BODY_BYTES} bytes`)
  } catch (error) {
    // Not the message, which can quote what was sent.
    const { name, cause } = error as Error & { readonly cause?: { readonly code?: unknown } }
    return fail(`no complete response (${cause?.code ?? name})`)
  }
}

function fail(problem: string): Answer {
  return { status: 0, headers: new Map(), problem }
}

/** Undefined if it is too long. `fetch` has decompressed it, so that the limit is for the text. */
async function readBody(response: Response): Promise<string | undefined> {
  if (!response.body) return ''
  const bytes = await readStream(response.body, MAX_CALIBRATED_BODY_BYTES)
  if (bytes.length > MAX_CALIBRATED_BODY_BYTES) return undefined
  return new TextDecoder().decode(bytes)
}
