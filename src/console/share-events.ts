// One event stream for all tabs of a mock: a browser allows six connections per address, for all tabs together. The tab that holds the
// lock listens and passes everything on; when it closes, the next one takes over. Without locks (plain http on another machine) every
// tab listens for itself. The control token goes from tab to tab in the same way, and lasts as long as they are open.
import { ControlError, type EventOptions } from '../client/client.ts'
import type { MockEvent } from '../control/control.ts'

export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** The mock does not respond; the page tries again by itself. */
  | { readonly kind: 'waiting' }
  /** The control API needs a token, or refused the known one. */
  | { readonly kind: 'locked'; readonly isRefused: boolean }

type News = { readonly connection: Connection } | { readonly event: MockEvent }
type Message = News | { readonly ask: true } | { readonly token: string } | { readonly retry: true }

export interface SharedEvents {
  token(): string | undefined
  /** Uses this token from now on, in all tabs. */
  unlock(token: string): void
  /** Tries to connect at once. */
  retry(): void
}

interface Settings {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'onmessage'>
  /** Undefined where the browser has none. */
  readonly locks: Pick<LockManager, 'request'> | undefined
  listen(options: EventOptions): Promise<AsyncIterable<MockEvent>>
  onConnection(connection: Connection): void
  onEvent(event: MockEvent): void
}

const NAME = 'animal-store-mock'
/** The mock sends a heartbeat every fifteen seconds. */
const SILENCE_LIMIT_MS = 40_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000

export function shareEvents({ storage, channel, locks, listen, onConnection, onEvent }: Settings): SharedEvents {
  let connection: Connection = { kind: 'connecting' }
  let isLeader = false
  let wake = () => {}
  const token = () => storage.getItem(`${NAME}.token`) ?? undefined
  const post = (message: Message) => channel.postMessage(message)

  function apply(news: News): void {
    if ('event' in news) onEvent(news.event)
    else {
      connection = news.connection
      onConnection(connection)
    }
  }

  function tell(news: News): void {
    apply(news)
    if (locks) post(news)
  }

  function keep(text: string): void {
    storage.setItem(`${NAME}.token`, text)
    if (connection.kind !== 'live') wake()
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ('token' in data) keep(data.token)
    else if ('retry' in data) wake()
    else if (!('ask' in data)) apply(data)
    else {
      const known = token()
      if (known !== undefined && connection.kind === 'live') post({ token: known })
      if (isLeader && locks) post({ connection })
    }
  }

  async function lead(): Promise<never> {
    isLeader = true
    for (let failures = 0; ; failures++) {
      const next = await follow(() => {
        failures = 0
      })
      tell({ connection: next })
      await sleep(next.kind === 'locked' ? undefined : Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS))
    }
  }

  /** Listens for as long as it goes well. */
  async function follow(onLive: () => void): Promise<Connection> {
    const abort = new AbortController()
    let silence: ReturnType<typeof setTimeout> | undefined
    const onActivity = () => {
      clearTimeout(silence)
      silence = setTimeout(() => abort.abort(), SILENCE_LIMIT_MS)
    }
    onActivity()
    try {
      const events = await listen({ signal: abort.signal, onActivity })
      onLive()
      tell({ connection: { kind: 'live' } })
      for await (const event of events) tell({ event })
    } catch (error) {
      if (error instanceof ControlError && error.status === 401) return { kind: 'locked', isRefused: token() !== undefined }
    } finally {
      clearTimeout(silence)
    }
    return { kind: 'waiting' }
  }

  function sleep(milliseconds: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  post({ ask: true })
  if (locks) void locks.request(`${NAME}.events`, lead)
  else void lead()
  return {
    token,
    unlock(text) {
      keep(text)
      post({ token: text })
    },
    retry() {
      wake()
      post({ retry: true })
    },
  }
}
