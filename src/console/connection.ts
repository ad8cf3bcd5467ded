// The connection to the mock: its control, the control token, and one event stream while the window is visible. A browser allows six
// connections per host for all windows together, so a hidden window closes its stream and catches up when you return to it.
import { signal } from '@preact/signals'
import { type ControlClient, ControlError, createClient } from '../client/client.ts'
import type { MockEvent } from '../control/control.ts'
import { contract } from '../generated/contract.ts'
import { currentSandbox } from './route.ts'

/** The mock's address, without a slash at its end. Relative to the page, because the mock may be mounted under a path. */
export const mockUrl = globalThis.location ? new URL('..', location.href).href.replace(/\/$/, '') : ''

/** The address of the API. */
export const baseUrl = mockUrl + contract.basePath

/** `waiting`: the mock does not respond, and the page tries again by itself. `refused`: the token is not valid. */
export const connection = signal<'connecting' | 'live' | 'waiting' | 'locked' | 'refused'>('connecting')

const TOKEN = 'animal-store-mock.token'
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000
const POLL_MS = 2_000

let stream = new AbortController()
let wake = () => {}
let polling: ReturnType<typeof setInterval> | undefined

/** The control of the state that is shown, or of another one. */
export function control(sandbox: string | null = currentSandbox()): ControlClient {
  return createClient(mockUrl, { token: () => sessionStorage.getItem(TOKEN) ?? undefined, sandbox: sandbox ?? undefined })
}

/** Whether the page lacks a valid control token. */
export function isLocked(): boolean {
  return connection.value === 'locked' || connection.value === 'refused'
}

export function unlock(token: string): void {
  sessionStorage.setItem(TOKEN, token)
  wake()
}

/** Connects again at once. */
export function retry(): void {
  stream.abort()
  wake()
}

/** Listens while the window is visible. `onLive` is called whenever a stream begins: something may have happened before. */
export async function listen(onLive: () => void, onEvent: (event: MockEvent) => void): Promise<never> {
  document.addEventListener('visibilitychange', () => (document.hidden ? stream.abort() : wake()))
  for (let wait = 0; ; wait = Math.min(wait * 2 || FIRST_WAIT_MS, LONGEST_WAIT_MS)) {
    await sleep(document.hidden || isLocked() ? undefined : wait)
    stream = new AbortController()
    try {
      const events = await openStream(stream.signal, onLive)
      connection.value = 'live'
      onLive()
      wait = 0
      for await (const event of events) onEvent(event)
      connection.value = 'waiting'
    } catch (error) {
      const isRefused = error instanceof ControlError && error.status === 401
      if (!document.hidden) connection.value = !isRefused ? 'waiting' : sessionStorage.getItem(TOKEN) === null ? 'locked' : 'refused'
    }
  }
}

/** A Worker keeps sandboxes apart: its stream is about the shared state only, so the page also polls. */
async function openStream(signal: AbortSignal, onPoll: () => void): Promise<AsyncIterable<MockEvent>> {
  try {
    return await control('*').events(signal)
  } catch (error) {
    if (!(error instanceof ControlError) || error.status !== 400) throw error
    clearInterval(polling)
    polling = setInterval(onPoll, POLL_MS)
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
