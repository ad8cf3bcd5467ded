// `seed`, `reset`, `undo`, `rewind`, `snapshot` and `record`: replace the state of a running mock, go back in it, or save it.
import { basename, extname } from 'node:path'
import { escapeUnsafe } from '../../render/escape.ts'
import { findScenario } from '../../scenario/files.ts'
import { parseInteger } from '../../settings/flag.ts'
import { withoutDefaults } from '../../settings/texts.ts'
import type { ChangeRow } from '../../world/change.ts'
import { defineCommand } from '../command.ts'
import { flagTables } from '../flags.ts'
import { describeSummary, notify, print } from '../output.ts'
import { formatOf, toScenarioText } from '../print-document.ts'
import { replaceFile } from '../replace-file.ts'
import { withState } from '../with-mock.ts'

const KEYLESS = { isKeyless: true }
/** A snapshot holds the valid API keys. */
const PRIVATE = 0o600

export const seedCommand = defineCommand({
  summary: 'load a scenario into a running mock; `requests` starts again',
  arguments: [['<name|file>', 'a shipped scenario, or your own file']],
  flags: flagTables.remote,
  examples: ['seed sold-out', 'seed ./scenario.yaml --sandbox worker-1'],
  async run(flags, [nameOrFile = '']: readonly string[]) {
    const scenario = await findScenario(nameOrFile)
    const summary = await withState(flags, (mock) => mock.load(scenario), { creates: true, isKeyless: true })
    if (flags.sandbox === undefined && summary.sandboxes !== undefined) {
      notify('Sandboxes are on: existing ones keep their state; name one with --sandbox <key>')
    }
    await print(`Loaded ${describeSummary(summary)}; \`requests\` starts again\n`)
  },
})

export const resetCommand = defineCommand({
  summary: 'reset a running mock to its scenario; `requests` starts again',
  flags: flagTables.remote,
  examples: ['reset', 'reset --url http://127.0.0.1:8080/v1'],
  run: async (flags) => print(`Reset to ${describeSummary(await withState(flags, (mock) => mock.reset()))}\n`),
})

export const undoCommand = defineCommand({
  summary: 'take back a change of a running mock; by default the last one',
  arguments: [['[id]', 'the number of a change, as `requests` shows it', parseInteger]],
  flags: flagTables.remote,
  examples: ['undo', 'undo 12'],
  run: async (flags, [id]: readonly number[]) => report(await withState(flags, (mock) => mock.undo(id), KEYLESS)),
})

export const rewindCommand = defineCommand({
  summary: 'go back to the state before a request or a change',
  arguments: [['<id>', 'its number, as `requests` shows it', parseInteger]],
  flags: flagTables.remote,
  examples: ['rewind 12'],
  run: async (flags, [id]: readonly number[]) => report(await withState(flags, (mock) => mock.rewind(id as number), KEYLESS)),
})

function report({ id, text }: ChangeRow): Promise<void> {
  return print(`${escapeUnsafe(`#${id} ${text}`)}\n`)
}

export const snapshotCommand = defineCommand({
  summary: 'print the state of a running mock as a scenario',
  flags: flagTables.snapshot,
  examples: ['snapshot', 'snapshot -o scenario.yaml', 'snapshot --before 12 -o bug.yaml'],
  async run({ output, before, ...flags }) {
    const format = output === undefined ? 'json' : formatOf(output)
    const state = withoutDefaults(await withState(flags, (mock) => mock.state(before === undefined ? {} : { before })))
    if (output === undefined) return print(await toScenarioText(state, format))
    const moment = before === undefined ? '' : `, the state before row ${before}, without API keys`
    // The state has changed since its scenario was loaded, so it has the name of its file, as every scenario does.
    const name = basename(output, extname(output))
    await replaceFile(output, await toScenarioText({ ...state, name }, format, output), PRIVATE)
    return print(`Wrote ${escapeUnsafe(output)}: ${describeSummary({ scenario: name, pets: state.pets?.length ?? 0 })}${moment}\n`)
  },
})

export const recordCommand = defineCommand({
  summary: 'save the timeline of a running mock, with the state before every row',
  flags: flagTables.record,
  examples: ['record -o bug.jsonl', 'record --sandbox worker-1 -o bug.jsonl'],
  async run({ output, ...flags }) {
    const all = flags.sandbox === undefined ? ({ sandbox: '*' } as const) : {}
    const text = await withState(flags, (mock) => mock.recording(all), KEYLESS)
    if (output === undefined) return print(text)
    await replaceFile(output, text, PRIVATE)
    return print(`Wrote ${escapeUnsafe(output)}, without API keys; animal-store-mock open ${escapeUnsafe(output)} shows it\n`)
  },
})
