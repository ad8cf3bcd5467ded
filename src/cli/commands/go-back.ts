// `undo` and `rewind`: take one change back, or go back to the state before a row.
import { escapeUnsafe } from '../../client/escape.ts'
import { parseInteger } from '../../settings/flag.ts'
import type { ChangeRow } from '../../world/change.ts'
import { defineCommand } from '../command.ts'
import { flagTables } from '../flags.ts'
import { print } from '../output.ts'
import { withState } from '../with-mock.ts'

export const undoCommand = defineCommand({
  summary: 'take back a change of a running mock; by default the last one',
  arguments: [['[id]', 'the number of a change, as `requests` shows it', parseInteger]],
  flags: flagTables.remote,
  examples: ['undo', 'undo 12'],
  run: async (flags, [id]) => report(await withState(flags, (mock) => mock.undo(id === undefined ? undefined : Number(id)), KEYLESS)),
})

export const rewindCommand = defineCommand({
  summary: 'go back to the state before a request or a change',
  arguments: [['<id>', 'its number, as `requests` shows it', parseInteger]],
  flags: flagTables.remote,
  examples: ['rewind 12'],
  run: async (flags, [id]) => report(await withState(flags, (mock) => mock.rewind(Number(id)), KEYLESS)),
})

const KEYLESS = { isKeyless: true }

function report({ id, text }: ChangeRow): Promise<void> {
  return print(`${escapeUnsafe(`#${id} ${text}`)}\n`)
}
