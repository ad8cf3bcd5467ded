// The connection to the mock: its control, the control token, and its events. A browser allows six connections per address for all windows
// together, so one window listens, the one that holds a lock, and broadcasts to the others that have the same token.
import { signal } from '@preact/signals'
import { type ControlClient, ControlError, createClient, type Transport } from '../client/client.ts'
import type { MockEvent } from '../control/control.ts'
import { contract } from '../generated/contract.ts'
import { currentSandbox } from './route.ts'

type State = 'connecting' | 'live' | 'waiting' | 'locked' | 'refused'

/** What windows tell each other. `isNew`: something may have happened that no event was about. */
type Message = { readonly state: State; readonly isNew?: boolean } | { readonly event: MockEvent } | { readonly ask: 'state' | 'retry' }

const TOKEN = 'animal-store-mock.token'
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000
const POLL_MS = 2_000
/** Where a mock is by default. */
const USUAL_ADDRESS = 'http://127.0.0.1:7387'

const transport = (globalThis as { animalStoreMock?: Transport }).animalStoreMock

/** Whether the console is inside the app's page. */
export const isInPage = transport !== undefined

/** The mock's address, without a slash at its end. Relative to the page, because the mock may be mounted under a path. */
export const mockUrl = findAddress()

/** The address of the API. */
export const baseUrl = mockUrl + contract.basePath

/** Where a copied command goes: an app's page has no server, but the command line starts one. */
export const serverUrl = isInPage ? USUAL_ADDRESS : mockUrl

/** `waiting`: the mock does not respond, and the page tries again by itself. `refused`: the token is not valid. */
export const connection = signal<State>('connecting')

let session = new AbortController()
let wake = () => {}
let ask = (_: 'state' | 'retry') => {}

/** The control of the state that is shown, or of another one. */
export function control(sandbox: string | null = currentSandbox()): ControlClient {
  const more = transport ? { fetch: transport.control } : { token: () => readToken() ?? undefined }
  return createClient(mockUrl, { ...more, sandbox: sandbox ?? undefined })
}

/** Sends a request to the service, as any client would. */
export function send(target: string, init: RequestInit): Promise<Response> {
  return (transport?.service ?? fetch)(mockUrl + target, init)
}

/** Whether the page lacks a valid control token. */
export function isLocked(): boolean {
  return connection.value === 'locked' || connection.value === 'refused'
}

export function unlock(token: string): void {
  sessionStorage.setItem(TOKEN, token)
  session.abort()
  wake()
}

/** Connects again at once. */
export function retry(): void {
  wake()
  ask('retry')
}

/** `onLive` is called whenever something may have happened without an event. A hidden window catches up when you return to it. */
export async function listen(onLive: () => void, onEvent: (event: MockEvent) => void): Promise<never> {
  let isLate = false
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && isLate) onLive()
    isLate = false
  })
  const apply = (message: Message) => {
    if ('event' in message) {
      if (document.hidden) isLate = true
      else onEvent(message.event)
    } else if ('state' in message) {
      const isFresh = message.state === 'live' && (message.isNew || connection.value !== 'live')
      connection.value = message.state
      if (isFresh) onLive()
    }
  }
  for (;;) {
    session = new AbortController()
    await takePart(session.signal, apply)
  }
}

/** Until the token changes. */
async function takePart(ended: AbortSignal, apply: (message: Message) => void): Promise<void> {
  // Only a secure context has locks: without them every window listens while it is visible.
  if (isInPage || !navigator.locks) return lead(ended, apply, !isInPage)
  const name = `animal-store-mock ${mockUrl} ${await fingerprint(readToken() ?? '')}`
  const channel = new BroadcastChannel(name)
  let isLeader = false
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (!('ask' in data)) apply(data)
    else if (isLeader && data.ask === 'retry') wake()
    else if (isLeader) channel.postMessage({ state: connection.value })
  }
  ask = (what) => channel.postMessage({ ask: what })
  ask('state')
  const tell = (message: Message) => {
    apply(message)
    channel.postMessage(message)
  }
  await navigator.locks
    .request(name, { signal: ended }, () => {
      isLeader = true
      return lead(ended, tell, false)
    })
    .catch(() => {})
  channel.close()
}

async function lead(ended: AbortSignal, tell: (message: Message) => void, isVisibleOnly: boolean): Promise<void> {
  const isAway = () => isVisibleOnly && document.hidden
  for (let wait = 0; !ended.aborted; wait = Math.min(wait * 2 || FIRST_WAIT_MS, LONGEST_WAIT_MS)) {
    await sleep((wait > 0 && isLocked()) || isAway() ? undefined : wait)
    if (ended.aborted) return
    const stream = new AbortController()
    const onHidden = () => (document.hidden ? stream.abort() : wake())
    if (isVisibleOnly) document.addEventListener('visibilitychange', onHidden)
    ended.addEventListener('abort', () => stream.abort())
    try {
      const events = await openStream(stream.signal, () => tell({ state: 'live', isNew: true }))
      tell({ state: 'live', isNew: true })
      wait = 0
      for await (const event of events) tell({ event })
      tell({ state: 'waiting' })
    } catch (error) {
      const isRefused = error instanceof ControlError && error.status === 401
      if (!ended.aborted && !isAway()) tell({ state: !isRefused ? 'waiting' : readToken() === null ? 'locked' : 'refused' })
    }
    stream.abort()
    document.removeEventListener('visibilitychange', onHidden)
  }
}

/** A Worker keeps sandboxes apart: its stream is about the shared state only, so the page also polls. */
async function openStream(signal: AbortSignal, onPoll: () => void): Promise<AsyncIterable<MockEvent>> {
  try {
    return await control('*').events(signal)
  } catch (error) {
    if (!(error instanceof ControlError) || error.status !== 400) throw error
    const polling = setInterval(onPoll, POLL_MS)
    signal.addEventListener('abort', () => clearInterval(polling))
    return control(null).events(signal)
  }
}

/** Until `wake` is called, or for some time. */
function sleep(milliseconds: number | undefined): Promise<void> {
  return new Promise((resolve) => {
    wake = resolve
    if (milliseconds !== undefined) setTimeout(resolve, milliseconds)
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

function findAddress(): string {
  if (transport) return transport.baseUrl.slice(0, -contract.basePath.length)
  return globalThis.location ? new URL('..', location.href).href.replace(/\/$/, '') : ''
}
