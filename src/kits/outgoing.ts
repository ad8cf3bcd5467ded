// The requests that leave the process, as Node reports them: those that went past a store although
// they are for it, and those that went elsewhere.
import { isLoopback } from '../contract/address.ts'
import { escapeUnsafe } from '../contract/escape.ts'
import { findTarget, listAddresses, parseBaseUrl } from '../mock/base-address.ts'
import type { InterceptionOptions } from './kit-options.ts'

/**
 * The part of Node's messages that is read: undici has an origin, `node:http` a protocol and a host
 * field.
 */
interface Outgoing {
  readonly method: string
  readonly path: string
  readonly origin?: unknown
  readonly protocol?: string
  getHeader?(name: string): unknown
}

const NOT_FETCH =
  'its client does not use fetch; pass intercept: "msw", or let it use fetch ' +
  '(axios: adapter: "fetch")'
const OUTSIDE = 'it is outside baseUrl'
const OTHER_CLIENT =
  'does not use the global fetch (undici), or your own MSW server let it pass ' +
  '(use intercept: "fetch")'
/**
 * A request of `node:http` that fails before its client has ended it, as in jsdom, never starts.
 */
const CHANNELS = ['undici:request:create', 'http.client.request.start', 'http.client.request.error']
/** MSW handles the requests of node:http, which Node reports all the same. */
const FETCH_CHANNELS = CHANNELS.slice(0, 1)
/** MSW 3 takes requests at the socket: whether it did is known when they end. */
const END_CHANNELS = ['undici:request:headers', 'undici:request:error']
const START_OF_HTTP = 'http.client.request.start'
const MAX_ELSEWHERE = 5

export type Outgoings = ReturnType<typeof createOutgoing>

export function createOutgoing(kit: string, options: InterceptionOptions) {
  const { baseUrl } = options
  const diagnostics = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel')
  const addresses = parseBaseUrl(baseUrl)
  const hosts = listHosts(listAddresses(baseUrl ?? []))
  const past: string[] = []
  const elsewhere = new Set<string>()
  const noted = new WeakSet<Outgoing>()
  /** How many requests MSW 3 has taken that have not ended yet, by method and address. */
  const taken = new Map<string, number>()
  const listeners = new Map<string, (message: unknown) => void>()

  function note(request: Outgoing): void {
    const url = readUrl(request)
    if (!url || noted.has(request)) return
    noted.add(request)
    const sent = escapeUnsafe(`${request.method} ${url.origin}${url.pathname}`)
    const isOurs = findTarget(addresses, url) !== undefined
    // On this machine, a test may have servers beside the store.
    const isOnHost = hosts.includes(url.host) && !isLoopback(url.hostname)
    if (isOurs || isOnHost) past.push(`${sent}: ${explain(request, isOurs)}`)
    else elsewhere.add(sent)
  }

  function explain(request: Outgoing, isOurs: boolean): string {
    if (request.origin === undefined) return NOT_FETCH
    if (!isOurs) return OUTSIDE
    const remedy = `import ${kit} first, or in the setup file of the runner`
    return `its client took fetch before ${kit} was imported (${remedy}), or ${OTHER_CLIENT}`
  }

  /** Whether MSW 3 took it, which it can have done only once. */
  function wasTaken(request: Outgoing): boolean {
    const url = readUrl(request)
    const key = url ? `${request.method} ${url.href}` : ''
    const count = taken.get(key) ?? 0
    if (count > 0) taken.set(key, count - 1)
    return count > 0
  }

  function listen(channels: readonly string[], use: (request: Outgoing) => void): void {
    const listener = (message: unknown) => use((message as { request: Outgoing }).request)
    for (const channel of channels) {
      listeners.set(channel, listener)
      diagnostics?.subscribe(channel, listener)
    }
  }

  return {
    start(by: 'fetch' | 'msw-2' | 'msw-3'): void {
      if (by !== 'msw-3') {
        listen(by === 'fetch' ? CHANNELS : FETCH_CHANNELS, note)
        return
      }
      listen([START_OF_HTTP], wasTaken)
      listen(END_CHANNELS, (request) => {
        if (!noted.has(request) && !wasTaken(request)) note(request)
        noted.add(request)
      })
    },
    stop(): void {
      for (const [channel, listener] of listeners) diagnostics?.unsubscribe(channel, listener)
    },
    /** MSW 3 has taken a request; it ends later. */
    noteTaken(request: Request): void {
      const key = `${request.method} ${request.url}`
      taken.set(key, (taken.get(key) ?? 0) + 1)
    },
    /** MSW 3 has taken a request and lets it pass. */
    noteLetPass(request: Request): void {
      taken.delete(`${request.method} ${request.url}`)
    },
    noteElsewhere(request: Request): void {
      const [address] = request.url.split('?', 1)
      elsewhere.add(escapeUnsafe(`${request.method} ${address}`))
    },
    elsewhere: (): string[] => [...elsewhere].slice(0, MAX_ELSEWHERE),
    /** The requests that have gone past the store, and how to catch them. */
    takePast(): string[] {
      elsewhere.clear()
      return past.splice(0)
    },
  }
}

function listHosts(addresses: readonly string[]): string[] {
  const hosts: string[] = []
  for (const address of addresses) {
    if (URL.canParse(address)) hosts.push(new URL(address).host)
  }
  return hosts
}

function readUrl(request: Outgoing): URL | undefined {
  const { path, protocol } = request
  const origin = request.origin ?? `${protocol}//${request.getHeader?.('host') ?? ''}`
  return URL.canParse(`${origin}${path}`) ? new URL(`${origin}${path}`) : undefined
}
