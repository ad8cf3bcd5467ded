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

/**
 * The mock's address, without a slash at its end. Relative to the page: the mock may be mounted
 * under a path.
 */
export const mockUrl = findMockUrl(transport?.baseUrl ?? new URL('..', location.href).href)
export const baseUrl = mockUrl + contract.basePath

/** `disconnected`: the page tries again by itself. `refused`: the token is not valid. */
export const connection = signal<'connecting' | 'live' | 'disconnected' | 'locked' | 'refused'>(
  'connecting',
)

let session = new AbortController()
let hasStream = !!drawer || !globalThis.navigator?.locks

export function control(
  sandbox = currentSandbox(),
  onRow: (id: number) => void = () => {},
): ControlClient {
  const more = transport ? { fetch: transport.control } : { token: () => readToken() ?? undefined }
  return createClient(mockUrl, { ...more, onRow, sandbox: sandbox ?? undefined })
}

export const send = (target: string, init: RequestInit): Promise<Response> =>
  transport
    ? transport.service(new URL(mockUrl).origin + target, init)
    : fetch(mockUrl + target, init)

export const isLocked = (): boolean =>
  connection.value === 'locked' || connection.value === 'refused'

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
  let isAway = false
  const hold = () => new Promise(() => (hasStream = true))
  if (!hasStream) void navigator.locks.request(`animal-store-mock ${mockUrl}`, hold)
  for (;;) {
    session = new AbortController()
    const { signal } = session
    let state: typeof connection.value = 'disconnected'
    try {
      for await (const event of follow(signal)) {
        connection.value = 'live'
        if (event) onEvent(event)
        else onLive(isAway)
        isAway = false
      }
    } catch (error) {
      if (error instanceof UsageError && error.status === 401)
        state = readToken() === null ? 'locked' : 'refused'
    }
    if (signal.aborted) continue
    connection.value = state
    isAway ||= state === 'disconnected'
    await sleep(isLocked() ? undefined : RETRY_MS, signal)
  }
}

/**
 * The events of all sandboxes; undefined at the start and after each poll: something may have
 * happened without one.
 */
async function* follow(ended: AbortSignal): AsyncGenerator<MockEvent | undefined> {
  while (!ended.aborted) {
    const events = hasStream && (await control(null).events(true, ended).catch(doWithout))
    if (!events) await control(null).summary()
    yield
    if (events) return yield* events
    await sleep(RETRY_MS, ended)
  }
}

function doWithout(error: UsageError): void {
  throwUnlessApart(error)
  hasStream = false
}

/**
 * A host that keeps sandboxes apart, as a Worker does, has neither the events nor the rows of all.
 */
export function throwUnlessApart(error: UsageError): void {
  if (error.status !== 400) throw error
}

function sleep(milliseconds: number | undefined, ended: AbortSignal): Promise<unknown> {
  const over =
    milliseconds === undefined ? ended : AbortSignal.any([ended, AbortSignal.timeout(milliseconds)])
  return new Promise((resolve) =>
    over.aborted ? resolve(over) : over.addEventListener('abort', resolve),
  )
}

const readToken = (): string | null => sessionStorage.getItem(TOKEN)
