// What a mock says when it has started: its addresses, the key to use, what it holds and how it is set, and one line to try it with.
import { joinWords } from '../contract/text.ts'
import { contract } from '../generated/contract.ts'
import { isLoopback } from '../hosts/node/host-policy.ts'
import { settingTexts } from '../settings/texts.ts'
import type { MockFlags } from './flags.ts'
import type { Running } from './start-mock.ts'
import { describeState, renderRows } from './wording.ts'

/** Any key will do, so here is one. */
const ANY_KEY = 'any-key'

/** With colour, addresses stand out from the rest. */
export function renderBanner(flags: MockFlags, running: Running, hasColour: boolean): string {
  const { mock, serving, scenario, seed, resumedFrom } = running
  const { control } = mock
  const summary = control.summary()
  const state = control.state({ pets: false })
  const { apiKeys = [], assume } = state
  const keys = assume?.['valid-keys'] === 'listed' ? apiKeys : undefined
  const key = keys ? keys[0] : ANY_KEY
  const start = `${scenario}${seed === undefined ? '' : `, animals generated from seed ${seed}`}`
  const rows = renderRows(
    [
      ['API', serving.url],
      ['API key', describeKeys(keys)],
      ['Scenario', resumedFrom === undefined ? start : `resumed from ${resumedFrom}; a reset returns to ${start}`],
      // The keys have their row above.
      ...describeState(summary, state).filter(([name]) => name !== settingTexts.apiKeys.label),
      ['Watching', flags.watch && flags.scenario],
      ['Saved in', flags.persist],
      ['Console', serving.controlUrl && `${serving.controlUrl}/`],
      ['Token', serving.controlToken && `${describeToken(serving.controlToken, flags)} (for the console and for --control-token)`],
      ['Try it', key && `curl -H "Authorization: Bearer ${key}" ${serving.url}${LIST_PATH}`],
      ['Warning', findWarning(flags)],
    ],
    '  ',
  )
  return `animal-store-mock ${summary.version}\n\n${hasColour ? rows.replace(/https?:\/\/\S+/g, '\u001b[36m$&\u001b[39m') : rows}\n`
}

const LIST_PATH = contract.operations.listPets.path.slice(contract.basePath.length)

export function findWarning({ host }: MockFlags): string | undefined {
  return host === undefined || isLoopback(host) ? undefined : 'other machines can reach this mock; omit --host to keep it local'
}

function describeKeys(keys: readonly string[] | undefined): string {
  if (!keys) return `any bearer token works, e.g. ${ANY_KEY} ("invalid" is rejected)`
  return keys.length === 0 ? 'none is valid; set some with --api-key' : joinWords(keys, 'or')
}

/** A token that you set is not printed: logs are read by others. */
function describeToken(token: string, { controlToken }: MockFlags): string {
  return controlToken === undefined ? token : 'the one that you set'
}
