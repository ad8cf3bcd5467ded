// The token of the control API: kept for as long as the tab is open, and shared with other tabs of the same mock, which no page of
// another origin can listen to.

const NAME = 'animal-store-mock.token'

interface Message {
  /** Undefined asks the others for theirs. */
  readonly token?: string
}

export interface Token {
  get(): string | undefined
  /** Where it comes from: typed and not accepted yet, or kept from a time when it was; undefined if there is none. */
  source(): 'typed' | 'remembered' | undefined
  set(token: string): void
  /** Tells it to the other tabs, once the mock has accepted it. */
  share(): void
}

/** `onReceived` is called when another tab had one. */
export function createToken(storage: Storage, channel: BroadcastChannel, onReceived: () => void): Token {
  const get = () => storage.getItem(NAME) ?? undefined
  let isTyped = false
  const send = (message: Message) => channel.postMessage(message)
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const own = get()
    if (data.token === undefined) {
      if (own !== undefined) send({ token: own })
    } else if (data.token !== own) {
      storage.setItem(NAME, data.token)
      isTyped = false
      onReceived()
    }
  }
  if (get() === undefined) send({})
  return {
    get,
    source: () => (get() === undefined ? undefined : isTyped ? 'typed' : 'remembered'),
    set(token) {
      isTyped = true
      storage.setItem(NAME, token)
    },
    share() {
      isTyped = false
      const own = get()
      if (own !== undefined) send({ token: own })
    },
  }
}
