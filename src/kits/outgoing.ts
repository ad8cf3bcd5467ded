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
const MAX_ELSEWHERE = 5

export function createOutgoing(kit: string, options: InterceptionOptions) {
  const { baseUrl, intercept } = options
  const diagnostics = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel')
  const channels = intercept === 'fetch' ? CHANNELS : FETCH_CHANNELS
  const addresses = parseBaseUrl(baseUrl)
  const hosts = listHosts(listAddresses(baseUrl ?? []))
  const past: string[] = []
  const elsewhere = new Set<string>()
  const noted = new WeakSet<Outgoing>()

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

  const listener = (message: unknown) => note((message as { request: Outgoing }).request)

  return {
    start(): void {
      for (const channel of channels) diagnostics?.subscribe(channel, listener)
    },
    stop(): void {
      for (const channel of channels) diagnostics?.unsubscribe(channel, listener)
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
  for (const address of addresses) if (URL.canParse(address)) hosts.push(new URL(address).host)
  return hosts
}

function readUrl(request: Outgoing): URL | undefined {
  const { path, protocol } = request
  const origin = request.origin ?? `${protocol}//${request.getHeader?.('host') ?? ''}`
  return URL.canParse(`${origin}${path}`) ? new URL(`${origin}${path}`) : undefined
}
