// The connection to the mock: its control, the control token, and its events. A browser allows six
// connections to an address from all windows together, so only the window that holds a lock has the
// stream of events; the others ask.
import { UsageError } from '../../contract/errors.ts'
import { contract } from '../../contract/generated/contract.ts'
import { type ControlClient, createClient, type Transport } from '../../control/client/client.ts'
import type { MockEvent } from '../../control/control.ts'
import { findMockUrl } from '../../control/protocol.ts'
import { currentSandbox } from './route.ts'
import { signal } from './signal.ts'

export type Ask<T> = (mock: ControlClient) => Promise<T>

const TOKEN = 'animal-store-mock.token'
const RETRY_MS = 1_000

const transport = (globalThis as { animalStoreMock?: Transport }).animalStoreMock
export const drawer = transport?.drawer
/** Whether the mock is in the page, so that no other program reaches it. */
export const isInPage = transport !== undefined
/** Whether there is no app either: the page is all that reaches the mock. */
export const isPlayer = isInPage && !drawer

/**
 * The mock's address, without a slash at its end. Relative to the page: the mock may be mounted
 * under a path.
 */
export const mockUrl = findMockUrl(transport?.baseUrl ?? new URL('..', location.href).href)
export const baseUrl = mockUrl + contract.basePath

/** `disconnected`: the page tries again by itself. `refused`: the token is not valid. */
export type ConnectionState = 'connecting' | 'live' | 'disconnected' | 'locked' | 'refused'
export const connection = signal<ConnectionState>('connecting')

let session = new AbortController()
let hasStream = isInPage || !globalThis.navigator?.locks

/** `onRow` gets the id of each row that a call makes. */
export function control(
  sandbox = currentSandbox(),
  onRow: (id: number) => void = () => {},
): ControlClient {
  const options = { onRow, sandbox: sandbox ?? undefined }
  if (transport) return createClient(mockUrl, { ...options, fetch: transport.control })
  return createClient(mockUrl, { ...options, token: () => readToken() ?? undefined })
}

/** Sends a request to the service. */
export function send(target: string, init: RequestInit): Promise<Response> {
  if (transport) return transport.service(new URL(mockUrl).origin + target, init)
  return fetch(mockUrl + target, init)
}

export function isLocked(): boolean {
  return connection.value === 'locked' || connection.value === 'refused'
}

export function isAway(): boolean {
  return connection.value === 'connecting' || connection.value === 'disconnected'
}

export function unlock(token: string): void {
  sessionStorage.setItem(TOKEN, token)
  connection.value = 'locked' // Until this one is refused too.
  session.abort()
}

/**
 * Calls `onLive` whenever something may have happened without an event; `wasAway` if the mock did
 * not respond.
 */
export async function listen(
  onLive: (wasAway: boolean) => void,
  onEvent: (event: MockEvent) => void,
): Promise<never> {
  if (!hasStream) waitForStream()
  let wasAway = false
  for (;;) {
    session = new AbortController()
    const { signal } = session
    let state: ConnectionState = 'disconnected'
    try {
      for await (const event of follow(signal)) {
        connection.value = 'live'
        if (event) onEvent(event)
        else onLive(wasAway)
        wasAway = false
      }
    } catch (error) {
      const isRefused = error instanceof UsageError && error.status === 401
      if (isRefused) state = readToken() === null ? 'locked' : 'refused'
    }
    if (signal.aborted) continue
    connection.value = state
    if (state === 'disconnected') wasAway = true
    if (isLocked()) await aborted(signal)
    else await sleep(signal)
  }
}

/** Takes the lock as soon as no other window has it, and keeps it. */
function waitForStream(): void {
  navigator.locks.request(`animal-store-mock ${mockUrl}`, () => {
    hasStream = true
    return new Promise(() => {})
  })
}

/**
 * The events of all sandboxes; undefined at the start and after each poll: something may have
 * happened without an event.
 */
async function* follow(ended: AbortSignal): AsyncGenerator<MockEvent | undefined> {
  while (!ended.aborted) {
    const events = hasStream ? await openStream(ended) : undefined
    if (events) {
      yield undefined
      yield* events
      return
    }
    await control(null).summary()
    yield undefined
    await sleep(ended)
  }
}

/** Undefined if the host has no events of all sandboxes; from then on, the page polls. */
async function openStream(ended: AbortSignal) {
  try {
    return await control(null).events(true, ended)
  } catch (error) {
    throwUnlessApart(error as UsageError)
    hasStream = false
    return undefined
  }
}

/**
 * A host that keeps sandboxes apart, as a Worker does, has neither the events nor the rows of all.
 */
export function throwUnlessApart(error: UsageError): void {
  if (error.status !== 400) throw error
}

function sleep(ended: AbortSignal): Promise<unknown> {
  return aborted(AbortSignal.any([ended, AbortSignal.timeout(RETRY_MS)]))
}

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(signal)
    else signal.addEventListener('abort', resolve)
  })
}

function readToken(): string | null {
  return sessionStorage.getItem(TOKEN)
}
