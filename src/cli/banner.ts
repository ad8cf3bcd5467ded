// What a mock says when it has started: where it is, which key it takes, what it holds, and one line to try it with.

import { list } from '../contract/schema.ts'
import { contract } from '../generated/contract.ts'
import { escapeUnsafe } from './escape.ts'

export interface BannerFacts {
  readonly version: string
  /** With the version segment, as clients use it. */
  readonly url: string
  readonly consoleUrl?: string | undefined
  /** Only these keys are valid; undefined if any is. */
  readonly apiKeys?: readonly string[] | undefined
  readonly scenario: string
  readonly seed?: number | undefined
  readonly pets: number
  readonly byStatus: Readonly<Record<string, number>>
  readonly now?: string | undefined
  readonly frozen?: boolean | undefined
  readonly faults: number
  readonly sandbox?: boolean | undefined
  readonly watch?: string | undefined
  /** Set if the control API asks for it. */
  readonly controlToken?: string | undefined
  /** Whether other machines can reach it. */
  readonly isExposed: boolean
}

/** Any key will do, so here is one. */
const ANY_KEY = 'any-key'

export function toBanner(facts: BannerFacts): string {
  const [key = facts.apiKeys ? undefined : ANY_KEY] = facts.apiKeys ?? []
  const rows: (readonly [string, string] | undefined)[] = [
    ['API', facts.url],
    ['API key', toKeys(facts.apiKeys)],
    ['Scenario', `${escapeUnsafe(facts.scenario)}${facts.seed === undefined ? '' : `, animals of seed ${facts.seed}`}`],
    ['Animals', toCounts(facts.pets, facts.byStatus)],
    facts.now === undefined && !facts.frozen ? undefined : ['Clock', `${facts.now ?? 'the real time'}${facts.frozen ? ', stopped' : ''}`],
    facts.faults === 0 ? undefined : ['Faults', String(facts.faults)],
    facts.sandbox ? ['Sandboxes', 'a world for each API key'] : undefined,
    facts.watch === undefined ? undefined : ['Watching', escapeUnsafe(facts.watch)],
    facts.consoleUrl === undefined ? undefined : ['Console', facts.consoleUrl],
    facts.controlToken === undefined ? undefined : ['Token', `${facts.controlToken} (for the console and for --token)`],
    key === undefined ? undefined : ['Try it', `curl -H "Authorization: Bearer ${key}" ${toListUrl(facts.url)}`],
    facts.isExposed ? ['Warning', 'other machines can reach this mock; without --host it stays on this one'] : undefined,
  ]
  const lines = rows.filter((row) => row !== undefined).map(([name, text]) => `  ${name.padEnd(10)} ${text}`)
  return `animal-store-mock ${facts.version}\n\n${lines.join('\n')}\n\n`
}

function toKeys(keys: readonly string[] | undefined): string {
  if (!keys) return `any, ${ANY_KEY} for one (only "invalid" is refused)`
  return keys.length === 0 ? 'none is valid: list some with --api-key' : list(keys, 'or')
}

/** `50 (20 available, 13 pending, 9 sold, 8 without a status)`. */
export function toCounts(pets: number, byStatus: Readonly<Record<string, number>>): string {
  const named = contract.schemas.PetStatus.enum.map((status) => [status, byStatus[status] ?? 0] as const)
  const without = named.reduce((rest, [, count]) => rest - count, pets)
  const parts = [...named, ['without a status', without] as const].filter(([, count]) => count > 0)
  return `${pets}${parts.length === 0 ? '' : ` (${parts.map(([status, count]) => `${count} ${status}`).join(', ')})`}`
}

function toListUrl(url: string): string {
  return url + contract.operations.listPets.path.slice(contract.basePath.length)
}
