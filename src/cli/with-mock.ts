// Connects a command to a running mock, and explains failures.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type ClientOptions, type ControlClient, ControlError, type ControlFetch, createClient } from '../client/client.ts'
import { UsageError } from '../contract/errors.ts'
import { findNear } from '../contract/near-names.ts'
import { joinWords, type Problems, sayMeant } from '../contract/problem.ts'
import { SANDBOXES_HEADER } from '../control/methods.ts'
import type { RemoteFlags } from './flags.ts'
import { notify } from './output.ts'

/** For silence; a stream of events has no limit. */
const TIMEOUT_MS = 10_000
const MAX_KEYS_NAMED = 10
const POLL_MS = 100

interface Access {
  /** Creates the sandbox that the flags name. For other commands a missing sandbox is probably a typo. */
  readonly creates?: boolean
  /** Works on the shared state without a key, although no request with a valid key reaches that. */
  readonly isKeyless?: boolean
  readonly waitMs?: number | undefined
}

/** Runs `use` with a client for one state; a failed call becomes a UsageError. */
export async function withState<T>(
  flags: RemoteFlags,
  use: (mock: ControlClient, hasSandboxes: () => boolean) => Promise<T>,
  { creates = false, isKeyless = false, waitMs = 0 }: Access = {},
): Promise<T> {
  const { sandbox } = flags
  let hasSandboxes = false
  // Every response says it, so no command has to ask first.
  const fetch: ControlFetch = async (url, init) => {
    const response = await fetchByHttp(url, init)
    hasSandboxes = response.headers.get(SANDBOXES_HEADER) !== null
    return response
  }
  const mock = createClient(flags.url, { ...toClientOptions(flags), fetch })
  try {
    if (waitMs > 0) await waitFor(mock, performance.now() + waitMs)
    const keys = sandbox === undefined ? [] : await mock.sandboxes()
    // Where sandboxes are off, the mock refuses the key itself.
    const isNew = sandbox !== undefined && hasSandboxes && !keys.includes(sandbox)
    if (isNew && !creates) throw missingSandbox(sandbox, keys, 'the first request with that key creates it, and so does seed')
    const result = await use(mock, () => hasSandboxes)
    if (isNew) notify(`Created sandbox ${sandbox}`)
    if (sandbox === undefined && !isKeyless && hasSandboxes) throw sharedState(await mock.sandboxes())
    return result
  } catch (error) {
    throw error instanceof ControlError ? new UsageError(explain(error, flags.controlToken)) : error
  }
}

async function waitFor(mock: ControlClient, end: number): Promise<void> {
  while (performance.now() < end) {
    const failure: ControlError | undefined = await mock.summary().then(
      () => undefined,
      (error) => error,
    )
    if (failure?.status !== 0) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

export function toClientOptions({ sandbox, controlToken }: RemoteFlags): ClientOptions & { readonly fetch: ControlFetch } {
  return { fetch: fetchByHttp, token: () => controlToken, sandbox }
}

function explain({ status, message, problems }: ControlError, token: string | undefined): Problems {
  if (status === 0) return `${message}: start one with animal-store-mock, or name another with --port or --url`
  if (status === 401 && token !== undefined) return 'Wrong control token: check --control-token or ANIMAL_STORE_CONTROL_TOKEN'
  if (status === 401) return 'This mock requires its control token: pass it with --control-token or ANIMAL_STORE_CONTROL_TOKEN'
  return status === 413 ? `${message}; start the mock with --scenario, which has no limit` : problems
}

/** By node:http: the first use of the global `fetch` takes as long as the rest of a command. */
const fetchByHttp: ControlFetch = async (url, { method, headers, body }) => {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http')
  const sent = request(url, { method, headers, agent: false, timeout: TIMEOUT_MS })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('timeout', () => sent.destroy(new Error('timeout')))
    sent.once('error', reject)
    sent.once('response', resolve)
    sent.end(body)
  })
  // A broken connection fails the reading of the body, and nothing else.
  response.on('error', () => {})
  // The client does not read a 204, and an unread response keeps the process running.
  if (response.statusCode === 204) response.resume()
  return {
    status: response.statusCode ?? 0,
    headers: { get: (name) => response.headers[name.toLowerCase()]?.toString() ?? null },
    text: () => text(response),
    get body() {
      sent.setTimeout(0)
      return Readable.toWeb(response) as ReadableStream<Uint8Array>
    },
  }
}

/** Thrown after the change to the shared state, which no sandbox sees. */
function sharedState(keys: readonly string[]): UsageError {
  const shared = 'this used the shared state, which valid keys never see'
  const rest = keys.length - MAX_KEYS_NAMED
  const more = rest > 0 ? ` (and ${rest} more: animal-store-mock sandboxes)` : ''
  const named = joinWords(keys.slice(-MAX_KEYS_NAMED), 'or') || 'there are none yet'
  return new UsageError(`Sandboxes are on: ${shared}; name one with --sandbox <key>: ${named}${more}`)
}

export function missingSandbox(key: string, keys: readonly string[], hint = ''): UsageError {
  const meant = sayMeant(joinWords(findNear(key, keys), 'or'), hint)
  return new UsageError(`There is no sandbox ${JSON.stringify(key)}${meant && `; ${meant}`}`)
}
