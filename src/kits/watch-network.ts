// Finds requests that go past the store to the network. Node reports each before it connects; a page reports none.
import { type BaseUrl, findTarget, parseBaseUrl } from '../mock/base-address.ts'
import { escapeUnsafe } from '../render/escape.ts'

/** The part of Node's messages that is read: undici has an origin, `node:http` a protocol and a host field. */
interface Sent {
  readonly method: string
  readonly path: string
  readonly origin?: string | URL
  readonly protocol?: string
  getHeader?(name: string): unknown
}

const LOOPBACK = /^(?:localhost|127\.|\[::1\])/
const CHANNELS = { fetch: 'undici:request:create', http: 'http.client.request.start' } as const
type Channel = keyof typeof CHANNELS

const MAX_ELSEWHERE = 5

/**
 * Watches until it is stopped. `take` returns what has left since it was last called, and how to catch it; `elsewhere` what was meant for
 * another address.
 */
export function watchNetwork(baseUrl: BaseUrl | undefined, channels: readonly Channel[], kit: string) {
  const node = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel')
  const addresses = parseBaseUrl(baseUrl)
  const hosts = [baseUrl ?? []].flat().flatMap((base) => (URL.canParse(String(base)) ? new URL(String(base)).host : []))
  const left: string[] = []
  const others = new Set<string>()
  const cures: Record<Channel, string> = {
    fetch: `its client took fetch before ${kit} was imported (import ${kit} first, or in the setup file of the runner), or does not use the global fetch (undici), or your own MSW server let it pass (use intercept: "fetch")`,
    http: 'its client does not use fetch; pass intercept: "msw", or let the client use fetch (axios: adapter: "fetch")',
  }

  function note(channel: Channel, { method, path, protocol, origin = `${protocol}//` }: Sent, host: unknown = ''): void {
    const text = `${origin}${host}${path}`
    if (!URL.canParse(text)) return
    const url = new URL(text)
    const isOurs = findTarget(addresses, url) !== undefined
    const sent = escapeUnsafe(`${method} ${url.origin}${url.pathname}`)
    if (!isOurs && (!hosts.includes(url.host) || LOOPBACK.test(url.host))) return void others.add(sent)
    const cure = isOurs || channel === 'http' ? cures[channel] : 'it is outside baseUrl'
    left.push(`${sent}: ${cure}`)
  }

  const listeners = channels.map((channel) => {
    const listener = (message: unknown) => {
      const { request } = message as { request: Sent }
      note(channel, request, request.getHeader?.('host'))
    }
    node?.subscribe(CHANNELS[channel], listener)
    return () => node?.unsubscribe(CHANNELS[channel], listener)
  })

  return {
    take() {
      others.clear()
      return left.splice(0)
    },
    elsewhere: () => [...others].slice(0, MAX_ELSEWHERE),
    stop: () => listeners.forEach((stop) => void stop()),
  }
}
