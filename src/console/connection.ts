// The connection to the mock: its control, the control token, and its events. A browser allows six connections per address for all windows
// together, so one window listens, the one that holds a lock, and broadcasts to the others that have the same token.
import { type ControlClient, ControlError, createClient, type Transport } from '../client/client.ts'
import type { MockEvent } from '../control/control.ts'
import { contract } from '../generated/contract.ts'
import { currentSandbox } from './route.ts'
import { signal } from './signal.ts'

type State = 'connecting' | 'live' | 'waiting' | 'locked' | 'refused'

/** What windows tell each other. `isNew`: something may have happened that no event was about. */
type Message = { readonly state: State; readonly isNew?: boolean } | { readonly event: MockEvent } | 'which state?'

const TOKEN = 'animal-store-mock.token'
const RETRY_MS = 1_000
const POLL_MS = 2_000
const USUAL_ADDRESS = 'http://127.0.0.1:7387'

const transport = (globalThis as { animalStoreMock?: Transport }).animalStoreMock

export const isInPage = transport !== undefined

export const drawer = transport?.drawer

/** The mock's address, without a slash at its end. Relative to the page, because the mock may be mounted under a path. */
export const mockUrl = transport
  ? transport.baseUrl.slice(0, -contract.basePath.length)
  : new URL('..', globalThis.location?.href ?? USUAL_ADDRESS).href.replace(/\/$/, '')

export const baseUrl = mockUrl + contract.basePath

/** `waiting`: the mock does not respond, and the page tries again by itself. `refused`: the token is not valid. */
export const connection = signal<State>('connecting')

let session = new AbortController()

export function control(sandbox: string | null = currentSandbox(), onRow: (id: number) => void = () => {}): ControlClient {
  const more = transport ? { fetch: transport.control } : { token: () => readToken() ?? undefined }
  return createClient(mockUrl, { ...more, onRow, sandbox: sandbox ?? undefined })
}

export function send(target: string, init: RequestInit): Promise<Response> {
  return (transport?.service ?? fetch)(mockUrl + target, init)
}

export function isLocked(): boolean {
  return connection.value === 'locked' || connection.value === 'refused'
}

export function unlock(token: string): void {
  sessionStorage.setItem(TOKEN, token)
  session.abort()
}

/** `onLive` is called whenever something may have happened without an event; `wasAway` if the mock did not respond meanwhile. */
export async function listen(onLive: (wasAway: boolean) => void, onEvent: (event: MockEvent) => void): Promise<never> {
  let isAway = false
  const apply = (message: Exclude<Message, string>) => {
    if ('event' in message) return onEvent(message.event)
    const isFresh = message.state === 'live' && (message.isNew || connection.value !== 'live')
    connection.value = message.state
    isAway ||= message.state === 'waiting'
    if (!isFresh) return
    onLive(isAway)
    isAway = false
  }
  for (;;) {
    session = new AbortController()
    await takePart(session.signal, apply)
  }
}

async function takePart(ended: AbortSignal, apply: (message: Exclude<Message, string>) => void): Promise<void> {
  // Only a secure context has locks.
  if (isInPage || !navigator.locks) return lead(ended, apply)
  const name = `animal-store-mock ${mockUrl} ${await fingerprint(readToken() ?? '')}`
  const channel = new BroadcastChannel(name)
  let isLeader = false
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (typeof data === 'object') apply(data)
    else if (isLeader) channel.postMessage({ state: connection.value })
  }
  channel.postMessage('which state?')
  const tell = (message: Exclude<Message, string>) => {
    apply(message)
    channel.postMessage(message)
  }
  await navigator.locks
    .request(name, { signal: ended }, () => {
      isLeader = true
      return lead(ended, tell)
    })
    .catch(() => {})
  channel.close()
}

async function lead(ended: AbortSignal, tell: (message: Exclude<Message, string>) => void): Promise<void> {
  while (!ended.aborted) {
    try {
      const events = await openStream(ended)
      tell({ state: 'live', isNew: true })
      for await (const event of events) tell(event ? { event } : { state: 'live', isNew: true })
      tell({ state: 'waiting' })
    } catch (error) {
      const isRefused = error instanceof ControlError && error.status === 401
      const refusal = readToken() === null ? 'locked' : 'refused'
      if (!ended.aborted) tell({ state: isRefused ? refusal : 'waiting' })
    }
    await sleep(isLocked() ? undefined : RETRY_MS, ended)
  }
}

/** The events of all sandboxes, or nothing again and again where a host keeps sandboxes apart, as a Worker does. */
async function openStream(ended: AbortSignal): Promise<AsyncIterable<MockEvent | undefined>> {
  return control('*')
    .events(ended)
    .catch((error: ControlError) => {
      if (error.status === 400) return poll(ended)
      throw error
    })
}

async function* poll(ended: AbortSignal): AsyncGenerator<undefined> {
  for (;;) {
    await sleep(POLL_MS, ended)
    if (ended.aborted) return
    await control(null).summary()
    yield
  }
}

function sleep(milliseconds: number | undefined, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      ended.removeEventListener('abort', done)
      resolve()
    }
    ended.addEventListener('abort', done)
    if (milliseconds !== undefined) setTimeout(done, milliseconds)
  })
}

function readToken(): string | null {
  return sessionStorage.getItem(TOKEN)
}

/** Any page of this origin can list the names of locks, so the token itself is not in one. */
async function fingerprint(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16)).join('')
}
