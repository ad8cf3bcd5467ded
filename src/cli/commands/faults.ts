// `faults`: lists the faults of a running mock, adds some, removes some or all.
import type { ControlClient } from '../../client/client.ts'
import { escapeUnsafe } from '../../client/escape.ts'
import { UsageError } from '../../contract/errors.ts'
import { parseFail } from '../../hosts/parse-settings.ts'
import { defineCommand } from '../command.ts'
import { settingFlags } from '../flags.ts'
import { print, toDocumentText } from '../print-document.ts'
import { notify, toFaultText } from '../say.ts'
import { changeState, readArgument, withState } from '../with-mock.ts'

export const faultsCommand = defineCommand({
  summary: 'list, add, remove or clear the faults of a running mock',
  arguments: [
    ['[action]', 'add, remove or clear'],
    ['[what...]', 'for add, faults as --fail takes them; for remove, their ids'],
  ],
  flags: settingFlags,
  examples: ['faults', 'faults add createPet=503:2', "faults add '*=500@0.3' listPets=200:truncated", 'faults remove 1', 'faults clear'],
  notes: [
    'A fault is an operation (or *) and what happens:',
    '  createPet=503           responds 503; createPet=503:2 only twice',
    '  listPets=drop           closes the connection',
    '  listPets=200-800ms      delays the response',
    '  listPets=502:html       another body: html, truncated, not-json or empty',
    '  listPets=200:truncated  the operation runs, and half of its response arrives',
    '  getPet/7=404            for one animal only',
    '  *=500@0.3               with this probability',
  ],
  async run({ json, ...flags }, [action, ...words]) {
    const change = toFaultsChange(action, words)
    const read = async (mock: ControlClient) => {
      await change?.(mock.faults)
      return mock.faults.list()
    }
    const faults = await (action === 'add' ? changeState : withState)(flags, read)
    if (json) return print(await toDocumentText(faults, 'json'))
    if (faults.length === 0) notify('No faults')
    return print(faults.map((fault) => `${escapeUnsafe(toFaultText(fault))}\n`).join(''))
  },
})

type FaultsChange = (faults: ControlClient['faults']) => Promise<void>

/** What the words after `faults` ask for; undefined if only to list them. All words are checked before anything changes. */
function toFaultsChange(action: string | undefined, words: readonly string[]): FaultsChange | undefined {
  if (action === undefined) return undefined
  if (action === 'clear') {
    if (words.length > 0) throw new UsageError(`faults clear: unexpected ${JSON.stringify(words[0])}`)
    return (faults) => faults.clear()
  }
  if (action !== 'add' && action !== 'remove')
    throw new UsageError(`faults: expected add, remove or clear, or nothing to list them, got ${JSON.stringify(action)}`)
  if (words.length === 0) {
    throw new UsageError(`faults ${action}: ${action === 'add' ? 'a fault is required, e.g. createPet=503:2' : 'an id is required'}`)
  }
  if (action === 'remove') return (faults) => removeFaults(faults, words)
  const added = words.map((word) => readArgument('faults add', word, parseFail))
  return async (faults) => {
    for (const fault of added) await faults.add(fault)
  }
}

async function removeFaults(faults: ControlClient['faults'], ids: readonly string[]): Promise<void> {
  const known = (await faults.list()).map(({ id }) => id)
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown !== undefined) {
    const hint = known.length === 0 ? 'there are none' : `known ids: ${known.join(', ')}`
    throw new UsageError(`faults remove: there is no fault ${JSON.stringify(unknown)}; ${hint}`)
  }
  for (const id of ids) await faults.remove(id)
}
