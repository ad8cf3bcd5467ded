// The token of the control API: kept for as long as the tab is open, and shared with other tabs of the same mock, which no page of
// another origin can listen to.

const NAME = 'animal-store-mock.token'

interface Message {
  /** Undefined asks the others for theirs. */
  readonly token?: string
}

export interface Token {
  get(): string | undefined
  set(token: string): void
  /** Tells it to the other tabs, once the mock has accepted it. */
  share(): void
}

/** `onReceived` is called when another tab had one. */
export function createToken(storage: Storage, channel: BroadcastChannel, onReceived: () => void): Token {
  const get = () => storage.getItem(NAME) ?? undefined
  const send = (message: Message) => channel.postMessage(message)
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const own = get()
    if (data.token === undefined) {
      if (own !== undefined) send({ token: own })
    } else if (data.token !== own) {
      storage.setItem(NAME, data.token)
      onReceived()
    }
  }
  if (get() === undefined) send({})
  return {
    get,
    set(token) {
      storage.setItem(NAME, token)
    },
    share() {
      const own = get()
      if (own !== undefined) send({ token: own })
    },
  }
}
