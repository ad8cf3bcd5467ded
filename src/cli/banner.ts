// What a mock says when it has started: its addresses, the key to use, what it holds and how it is set, and one line to try it with.
import { describeFault } from '../client/describe-fault.ts'
import { escapeUnsafe } from '../client/escape.ts'
import { list } from '../contract/schema.ts'
import { contract } from '../generated/contract.ts'
import type { Surprise } from '../surprise/setting.ts'
import type { Fault } from '../world/faults.ts'
import { toCount, toLatencyText } from './say.ts'

export interface BannerFacts {
  readonly version: string
  /** With the version segment, as clients use it. */
  readonly url: string
  /** For other machines, if it listens on every address. */
  readonly networkUrls: readonly string[]
  readonly consoleUrl?: string | undefined
  /** Only these keys are valid; undefined if any is. */
  readonly apiKeys?: readonly string[] | undefined
  readonly scenario: string
  readonly seed?: number | undefined
  readonly pets: number
  readonly byStatus: Readonly<Record<string, number>>
  readonly now?: string | undefined
  readonly frozen?: boolean | undefined
  /** Of every response, in milliseconds. */
  readonly latency?: Fault['delay'] | undefined
  readonly faults: readonly Fault[]
  readonly surprise?: Surprise | undefined
  /** The questions whose choice is not the default. */
  readonly assume: readonly { readonly id: string; readonly choice: string }[]
  readonly sandbox?: boolean | undefined
  readonly watch?: string | undefined
  readonly persist?: string | undefined
  /** Set if the control API requires a token; the token itself if the mock generated it. */
  readonly controlToken?: { readonly generated: string } | 'given' | undefined
  /** Whether it listens to keys of the terminal. */
  readonly hasKeys?: boolean
  /** Whether other machines can reach it. */
  readonly isExposed: boolean
}

export const EXPOSED = 'other machines can reach this mock; omit --host to keep it local'
/** Any key will do, so here is one. */
const ANY_KEY = 'any-key'
const MAX_FAULTS_SHOWN = 3

/** With colour, addresses stand out from the rest. */
export function toBanner(facts: BannerFacts, hasColour = false): string {
  const paint = (url: string) => (hasColour ? `\u001b[36m${url}\u001b[39m` : url)
  const [key = facts.apiKeys ? undefined : ANY_KEY] = facts.apiKeys ?? []
  const rows: (readonly [string, string] | undefined)[] = [
    ['API', paint(facts.url)],
    ...facts.networkUrls.map((url) => ['Network', paint(url)] as const),
    ['API key', toKeys(facts.apiKeys)],
    ['Scenario', `${escapeUnsafe(facts.scenario)}${facts.seed === undefined ? '' : `, animals generated from seed ${facts.seed}`}`],
    ['Animals', toCounts(facts.pets, facts.byStatus)],
    facts.now === undefined && !facts.frozen ? undefined : ['Clock', toClock(facts.now, facts.frozen)],
    facts.latency === undefined ? undefined : ['Latency', toLatencyText(facts.latency)],
    facts.faults.length === 0 ? undefined : ['Faults', toFaults(facts.faults)],
    facts.surprise ? ['Surprises', `seed ${facts.surprise.seed}`] : undefined,
    facts.assume.length === 0 ? undefined : ['Assumes', facts.assume.map(({ id, choice }) => `${id}=${choice}`).join(', ')],
    facts.sandbox ? ['Sandboxes', 'one state per API key'] : undefined,
    facts.watch === undefined ? undefined : ['Watching', escapeUnsafe(facts.watch)],
    facts.persist === undefined ? undefined : ['Saved in', escapeUnsafe(facts.persist)],
    facts.consoleUrl === undefined ? undefined : ['Console', paint(facts.consoleUrl)],
    facts.controlToken === undefined ? undefined : ['Token', toToken(facts.controlToken)],
    key === undefined ? undefined : ['Try it', `curl -H "Authorization: Bearer ${key}" ${toListUrl(facts.url)}`],
    facts.hasKeys ? ['Keys', 'press h + Enter for help'] : undefined,
    facts.isExposed ? ['Warning', EXPOSED] : undefined,
  ]
  const lines = rows.filter((row) => row !== undefined).map(([name, text]) => `  ${name.padEnd(10)} ${text}`)
  return `animal-store-mock ${facts.version}\n\n${lines.join('\n')}\n\n`
}

function toKeys(keys: readonly string[] | undefined): string {
  if (!keys) return `any bearer token works, e.g. ${ANY_KEY} ("invalid" is rejected)`
  return keys.length === 0 ? 'none is valid; set some with --api-key' : list(keys, 'or')
}

function toToken(token: NonNullable<BannerFacts['controlToken']>): string {
  return `${token === 'given' ? 'the one that you set' : token.generated} (for the console and for --control-token)`
}

function toClock(now: string | undefined, frozen = false): string {
  if (now === undefined) return 'frozen at start time'
  return frozen ? `${now}, frozen` : now
}

/** `createPet responds 503, once; all operations respond after 200 ms`. */
function toFaults(faults: readonly Fault[]): string {
  const shown = faults.slice(0, MAX_FAULTS_SHOWN).map((fault) => `${fault.operation} ${describeFault(fault)}`)
  const more = faults.length - shown.length
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

/** `18 (6 available, 5 pending, 5 sold, 2 without a status)`. */
function toCounts(pets: number, byStatus: Readonly<Record<string, number>>): string {
  const named = contract.schemas.PetStatus.enum.map((status) => [status, byStatus[status] ?? 0] as const)
  const without = named.reduce((rest, [, count]) => rest - count, pets)
  const parts = [...named, ['without a status', without] as const].filter(([, count]) => count > 0)
  return `${toCount(pets)}${parts.length === 0 ? '' : ` (${parts.map(([status, count]) => `${toCount(count)} ${status}`).join(', ')})`}`
}

function toListUrl(url: string): string {
  return url + contract.operations.listPets.path.slice(contract.basePath.length)
}
