// Commands that change the state of a running mock, or save it: `seed`, `reset`, `undo`, `rewind`,
// `snapshot`, `record`.
import { mismatch, UsageError } from '../../contract/errors.ts'
import { withoutUndefined } from '../../contract/values.ts'
import type { ControlClient } from '../../control/client/client.ts'
import { describeRecordingOptions } from '../../control/method-inputs.ts'
import { PRIVATE, replaceFile } from '../../hosts/node/replace-file.ts'
import { findScenario } from '../../hosts/node/scenario-files.ts'
import { nameOfFile } from '../../scenario/scenario-names.ts'
import { parseBy, parseNumberBy } from '../../scenario/settings/flag.ts'
import { hostFlags } from '../../scenario/settings/texts.ts'
import { isRecordingFile } from '../../world/row.ts'
import { defineCommand } from '../lib/command.ts'
import { defineRemote } from '../lib/define-remote.ts'
import { describeSummary } from '../lib/describe-state.ts'
import { group, positive, remoteFlags } from '../lib/flags.ts'
import { print, printLines } from '../lib/output.ts'
import { formatOf, renderDocument } from '../lib/render-document.ts'
import { printLink } from '../lib/share-link.ts'
import { quoteWord } from '../lib/shell-word.ts'
import { withState } from '../lib/with-mock.ts'

const renderChange = (change: Readonly<{ id: number; text: string }>) => [
  `#${change.id} ${change.text}`,
]

export const seedCommand = defineRemote({
  summary: 'load a scenario into a running mock; `requests` starts again',
  arguments: [['<name|file>', 'a shipped scenario, or your own file']],
  examples: ['seed sold-out', 'seed ./scenario.yaml --sandbox worker-1'],
  ask: async (mock, [nameOrFile = '']: readonly string[]) =>
    mock.load(await findScenario(nameOrFile)),
  render: (summary) => [`Loaded ${describeSummary(summary)}; \`requests\` starts again`],
})

export const resetCommand = defineRemote({
  summary: 'reset a running mock to its scenario; `requests` starts again',
  examples: ['reset', 'reset --url http://127.0.0.1:8080/v1'],
  ask: (mock) => mock.reset(),
  render: (summary) => [`Reset to ${describeSummary(summary)}`],
})

export const undoCommand = defineRemote({
  summary: 'take back a change of a running mock; by default the last one',
  arguments: [['[id]', 'the number of a change, as `timeline` shows it', positive]],
  examples: ['undo', 'undo 12'],
  ask: (mock, [id]: readonly number[]) => mock.undo(id),
  render: renderChange,
})

export const rewindCommand = defineRemote({
  summary: 'go back to the state before a request or a change',
  arguments: [['<id>', 'its number, as `timeline` shows it', positive]],
  examples: ['rewind 12'],
  ask: (mock, [id = 0]: readonly number[]) => mock.rewind(id),
  render: renderChange,
})

export const snapshotCommand = defineRemote({
  summary: 'print the state of a running mock as a scenario',
  flags: {
    output: {
      syntax: '-o, --output <file>',
      help: 'write a file instead: JSON or YAML, by its extension',
      conflicts: ['json'],
    },
    before: {
      syntax: '--before <id>',
      help: 'the state just before this request or change, without API keys',
      parse: positive,
    },
  },
  examples: ['snapshot', 'snapshot -o scenario.yaml', 'snapshot --before 12 -o bug.yaml'],
  async ask(mock, _, flags) {
    const { output, before } = flags
    if (output !== undefined) formatOf(output)
    return mock.state(before === undefined ? {} : { before })
  },
  async render(state, flags) {
    const { output, before } = flags
    if (output === undefined) return undefined
    // It is no longer the loaded scenario, so it is named after its file.
    const name = nameOfFile(output)
    const text = await renderDocument({ ...state, name }, formatOf(output))
    await replaceFile(output, text, PRIVATE)
    const written = describeSummary({ scenario: name, pets: state.pets?.length ?? 0 })
    const moment = before === undefined ? '' : `, the state before row ${before}, without API keys`
    return [`Wrote ${output}: ${written}${moment}`]
  },
})

const rowSchemas = describeRecordingOptions()
const recordFlags = {
  output: {
    syntax: '-o, --output <file>',
    help: 'write a file instead of standard output',
    conflicts: ['link'],
  },
  rows: {
    syntax: '--rows <ids>',
    help: 'only these rows, e.g. 12,15-40',
    parse: parseBy<string>(rowSchemas.rows),
    conflicts: ['last'],
  },
  last: {
    syntax: '--last <n>',
    help: 'only the last n rows',
    parse: parseNumberBy(rowSchemas.last),
  },
  link: {
    syntax: '--link',
    help: 'print a link that has the recording in it; nothing is uploaded',
  },
  at: {
    syntax: '--at <id>',
    help: 'with --link: the row that it shows',
    parse: positive,
  },
  ...group('Output', { player: hostFlags.player }),
  ...remoteFlags,
} as const

export const recordCommand = defineCommand({
  summary: 'save the timeline of a running mock, with the state before every row',
  flags: recordFlags,
  examples: [
    'record -o bug.jsonl',
    'record --sandbox worker-1 -o bug.jsonl',
    'record --rows 12 --link --at 12',
  ],
  async run(flags) {
    const { output, rows, last, link = false, at, player, ...remote } = flags
    if (output !== undefined && !isRecordingFile(output))
      throw mismatch(output, 'a file that ends in .jsonl')
    if (at !== undefined && !link) throw new UsageError('--at needs --link')
    const isAll = remote.sandbox === undefined
    const choice = withoutUndefined({ sandbox: isAll ? ('*' as const) : undefined, rows, last })
    const ask = async (mock: ControlClient) => ({
      text: await mock.recording(choice),
      usual: link && player === undefined ? (await mock.summary()).player : player,
    })
    const { text, usual } = await withState(remote, ask, { isQuiet: isAll })
    if (link) return printLink(text, { player: usual, row: at })
    if (output === undefined) return print(text)
    await replaceFile(output, text, PRIVATE)
    await printLines([
      `Wrote ${output}, without API keys; animal-store-mock open ${quoteWord(output)} shows it`,
    ])
  },
})
