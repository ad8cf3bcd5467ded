// What a mock says when it has started: its addresses, the key to use, what it holds and how it is set, and one line to try it with.
import { describeFault } from '../client/describe-fault.ts'
import { escapeUnsafe } from '../client/escape.ts'
import { list } from '../contract/schema.ts'
import { contract } from '../generated/contract.ts'
import { isLoopback } from '../hosts/node/host-policy.ts'
import type { Fault } from '../world/faults.ts'
import type { MockFlags } from './flags.ts'
import { findChosen, toCount, toLatencyText } from './say.ts'
import type { Running } from './start-mock.ts'

/** Any key will do, so here is one. */
const ANY_KEY = 'any-key'
const MAX_FAULTS_SHOWN = 3

/** With colour, addresses stand out from the rest. */
export function renderBanner(flags: MockFlags, { mock: { control }, serving, seed, resumedFrom }: Running, hasColour: boolean): string {
  const { version, scenario, pets, byStatus } = control.summary()
  const { now, frozen, latency, faults = [], surprise, apiKeys = [] } = control.state({ pets: false })
  const chosen = findChosen(control.assumptions()).map(({ id, choice }) => `${id}=${choice}`)
  const keys = chosen.includes('valid-keys=listed') ? apiKeys : undefined
  const key = keys ? keys[0] : ANY_KEY
  const start = `${escapeUnsafe(scenario)}${seed === undefined ? '' : `, animals generated from seed ${seed}`}`
  const paint = (url: string) => (hasColour ? `\u001b[36m${url}\u001b[39m` : url)
  const rows: readonly (readonly [name: string, text: string | false | undefined])[] = [
    ['API', paint(serving.url)],
    ['API key', describeKeys(keys)],
    ['Scenario', resumedFrom === undefined ? start : `resumed from ${escapeUnsafe(resumedFrom)}; a reset returns to ${start}`],
    ['Animals', describeCounts(pets, byStatus)],
    ['Clock', now && `${now}${frozen ? ', frozen' : ''}`],
    ['Latency', latency !== undefined && toLatencyText(latency)],
    ['Faults', describeFaults(faults)],
    ['Surprises', surprise && `seed ${surprise.seed}`],
    ['Assumes', chosen.join(', ')],
    ['Sandboxes', flags.sandbox && 'one state per API key'],
    ['Watching', flags.watch && escapeUnsafe(flags.scenario)],
    ['Saved in', flags.persist && escapeUnsafe(flags.persist)],
    ['Console', serving.controlUrl && paint(`${serving.controlUrl}/`)],
    ['Token', serving.controlToken && `${describeToken(serving.controlToken, flags)} (for the console and for --control-token)`],
    ['Try it', key && `curl -H "Authorization: Bearer ${key}" ${serving.url}${LIST_PATH}`],
    ['Warning', findWarning(flags)],
  ]
  const lines = rows.filter(([, text]) => text).map(([name, text]) => `  ${name.padEnd(10)} ${text}`)
  return `animal-store-mock ${version}\n\n${lines.join('\n')}\n\n`
}

const LIST_PATH = contract.operations.listPets.path.slice(contract.basePath.length)

export function findWarning({ host }: MockFlags): string | undefined {
  return host === undefined || isLoopback(host) ? undefined : 'other machines can reach this mock; omit --host to keep it local'
}

function describeKeys(keys: readonly string[] | undefined): string {
  if (!keys) return `any bearer token works, e.g. ${ANY_KEY} ("invalid" is rejected)`
  return keys.length === 0 ? 'none is valid; set some with --api-key' : list(keys, 'or')
}

/** A token that you set is not printed: logs are read by others. */
function describeToken(token: string, { controlToken }: MockFlags): string {
  return controlToken === undefined ? token : 'the one that you set'
}

/** `createPet responds 503, once; all operations respond after 200 ms`. */
function describeFaults(faults: readonly Fault[]): string {
  const shown = faults.slice(0, MAX_FAULTS_SHOWN).map((fault) => `${fault.operation} ${describeFault(fault)}`)
  const more = faults.length - shown.length
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

/** `18 (6 available, 5 pending, 5 sold, 2 without a status)`. */
function describeCounts(pets: number, byStatus: Readonly<Record<string, number>>): string {
  const named = contract.schemas.PetStatus.enum.map((status) => [status, byStatus[status] ?? 0] as const)
  const without = named.reduce((rest, [, count]) => rest - count, pets)
  const parts = [...named, ['without a status', without] as const].filter(([, count]) => count > 0)
  return `${toCount(pets)}${parts.length === 0 ? '' : ` (${parts.map(([status, count]) => `${toCount(count)} ${status}`).join(', ')})`}`
}
