// `snapshot`: the whole state of a running mock, as a scenario that loads back into the same state.
import { basename, extname } from 'node:path'
import { escapeUnsafe } from '../../client/escape.ts'
import { withoutDefaults } from '../../settings/texts.ts'
import type { State } from '../../world/start.ts'
import { defineCommand } from '../command.ts'
import { type Format, flagTables } from '../flags.ts'
import { print } from '../output.ts'
import { formatOf, toDocumentText } from '../print-document.ts'
import { replaceFile } from '../replace-file.ts'
import { findSchema, toSchemaLine } from '../scenario-template.ts'
import { withState } from '../with-mock.ts'
import { describeSummary } from '../wording.ts'

/** A snapshot holds the valid API keys. */
const PRIVATE = 0o600

export const snapshotCommand = defineCommand({
  summary: 'print the state of a running mock as a scenario',
  flags: flagTables.snapshot,
  examples: ['snapshot', 'snapshot -o scenario.yaml', 'snapshot --before 12 -o bug.yaml'],
  async run({ output, before, ...flags }) {
    const format = output === undefined ? 'json' : formatOf(output)
    const state = withoutDefaults(await withState(flags, (mock) => mock.state(before === undefined ? {} : { before })))
    if (output === undefined) return print(await render(state, format))
    const moment = before === undefined ? '' : `, the state before row ${before}, without API keys`
    // The state has changed since its scenario was loaded, so it has the name of its file, as every scenario does.
    const name = basename(output, extname(output))
    await replaceFile(output, await render({ ...state, name }, format, output), PRIVATE)
    return print(`Wrote ${escapeUnsafe(output)}: ${describeSummary({ scenario: name, pets: state.pets?.length ?? 0 })}${moment}\n`)
  },
})

/** With the line that editors read. */
async function render(state: State, format: Format, file = 'scenario.json'): Promise<string> {
  if (format === 'yaml') return toSchemaLine(file) + (await toDocumentText(state, format))
  return toDocumentText({ $schema: findSchema(file), ...state }, format)
}
