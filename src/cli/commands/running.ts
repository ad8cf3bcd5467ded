import { mismatch } from '../../contract/errors.ts'
import { escapeUnsafe, toJsonText } from '../../contract/escape.ts'
import { contract } from '../../contract/generated/contract.ts'
import { withoutUndefined } from '../../contract/values.ts'
import type { ControlClient } from '../../control/client/client.ts'
import type { Alternative, WhatIf, WhatIfChange } from '../../control/control.ts'
import { listDifferences, printStatus } from '../../control/differences.ts'
import { describeAlternatives, describeWhatIfChange } from '../../control/text/describe-what-if.ts'
import { PRIVATE, replaceFile } from '../../hosts/node/replace-file.ts'
import { findScenario } from '../../hosts/node/scenario-files.ts'
import { nameOfFile } from '../../scenario/document.ts'
import { checkDuration, checkLatency, parseLatency } from '../../scenario/settings/duration.ts'
import type { FlagValues } from '../../scenario/settings/flag.ts'
import { settingNames, settingRows } from '../../scenario/settings/rows.ts'
import { mergeChoices, settingTexts } from '../../scenario/settings/texts.ts'
import { isRecordingFile } from '../../world/row.ts'
import { defineCommand, json, positive, remoteFlags } from '../lib/flags.ts'
import {
  describeSummary,
  formatOf,
  listState,
  print,
  printLines,
  renderLabelled,
  toDocumentText,
} from '../lib/output.ts'
import { defineRemote, withState } from '../lib/with-mock.ts'

const { assume, clock } = settingTexts
const OUTPUT_HELP = 'write a file instead: JSON or YAML, by its extension'
const BEFORE_HELP = 'the state just before this request or change, without API keys'

const renderChange = ({ id, text }: { readonly id: number; readonly text: string }) => [
  `#${id} ${text}`,
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
    output: { syntax: '-o, --output <file>', help: OUTPUT_HELP, conflicts: ['json'] },
    before: { syntax: '--before <id>', help: BEFORE_HELP, parse: positive },
  },
  examples: ['snapshot', 'snapshot -o scenario.yaml', 'snapshot --before 12 -o bug.yaml'],
  async ask(mock, _, { output, before }) {
    if (output !== undefined) formatOf(output)
    return mock.state(before === undefined ? {} : { before })
  },
  async render(state, { output, before }) {
    if (output === undefined) return undefined
    const moment = before === undefined ? '' : `, the state before row ${before}, without API keys`
    // It is no longer the loaded scenario, so it is named after its file.
    const name = nameOfFile(output)
    await replaceFile(output, await toDocumentText({ ...state, name }, formatOf(output)), PRIVATE)
    return [
      `Wrote ${output}: ${describeSummary({ scenario: name, pets: state.pets?.length ?? 0 })}${moment}`,
    ]
  },
})

export const recordCommand = defineCommand({
  summary: 'save the timeline of a running mock, with the state before every row',
  flags: {
    output: { syntax: '-o, --output <file>', help: 'write a file instead of standard output' },
    ...remoteFlags,
  },
  examples: ['record -o bug.jsonl', 'record --sandbox worker-1 -o bug.jsonl'],
  async run({ output, ...flags }) {
    if (output !== undefined && !isRecordingFile(output))
      throw mismatch(output, 'a file that ends in .jsonl')
    const isAll = flags.sandbox === undefined
    const text = await withState(flags, (mock) => mock.recording(isAll ? { sandbox: '*' } : {}), {
      isQuiet: isAll,
    })
    if (output === undefined) return print(text)
    await replaceFile(output, text, PRIVATE)
    return printLines([
      `Wrote ${output}, without API keys; animal-store-mock open ${output} shows it`,
    ])
  },
})

export const statusCommand = defineCommand({
  summary: 'show the state and settings of a running mock',
  flags: {
    diff: { syntax: '--diff', help: 'show what differs from the loaded scenario' },
    wait: {
      syntax: '--wait <duration>',
      help: 'wait until the mock answers, e.g. 30s',
      parse: checkDuration,
    },
    json,
    ...remoteFlags,
  },
  examples: ['status', 'status --json', 'status --diff', 'status --wait 30s'],
  async run({ json: isJson = false, diff = false, ...flags }) {
    const use = (mock: ControlClient) =>
      diff ? renderDiff(mock, isJson) : renderStatus(mock, flags.url, isJson)
    await print(await withState(flags, use, { isQuiet: !diff }))
  },
})

async function renderDiff(mock: ControlClient, isJson: boolean): Promise<string> {
  const differences = await mock.diff()
  if (isJson) return toJsonText(differences)
  const lines = listDifferences(differences).map(([, text]) => `  ${escapeUnsafe(text)}\n`)
  const name = escapeUnsafe(differences.scenario)
  return lines.length === 0
    ? `No differences from ${name}\n`
    : `Differences from ${name}:\n${lines.join('')}`
}

/** All but secrets. The clock, which runs on, is not shown as it is set. */
const SHOWN_SETTINGS = settingNames.filter(
  (name) => !settingRows[name].schema.writeOnly && !(name in clock.flags),
)

async function renderStatus(mock: ControlClient, url: string, isJson: boolean): Promise<string> {
  const summary = await mock.summary()
  const state = await mock.state({ pets: false })
  const settings = withoutUndefined(
    Object.fromEntries(SHOWN_SETTINGS.map((name) => [name, state[name]])),
  )
  if (isJson)
    return toJsonText({
      ...summary,
      clock: await mock.clock.get(),
      faults: [],
      assume: {},
      ...settings,
    })
  return renderLabelled([
    ['Mock', `${url}${contract.basePath} (version ${summary.version})`],
    [
      'Scenario',
      summary.scenario + (summary.recording ? `, in the recording ${summary.recording.file}` : ''),
    ],
    ...listState(summary, state),
  ])
}

const whatIfFlags = {
  assume: { ...assume.flags.assume, help: 'with other choices for what the spec leaves open' },
  withoutFaults: { syntax: '--without-faults', help: 'without any fault' },
  now: { ...clock.flags.now, help: 'at another time, e.g. 2030-12-06' },
  latency: { syntax: '--latency <delay|off>', help: 'with another latency', parse: checkLatency },
  data: { syntax: '--data <body>', help: 'with another body' },
} as const

export const whatIfCommand = defineRemote<typeof whatIfFlags, WhatIf | readonly Alternative[]>({
  summary: 'show what a request would have got with one thing changed; nothing happens to the mock',
  arguments: [['<id>', 'the number of a request, as `timeline` shows it', positive]],
  flags: whatIfFlags,
  examples: [
    'what-if 13',
    'what-if 13 --assume invalid-query=clamp',
    `what-if 13 --data '{"name":"Rex","categoryId":1}'`,
  ],
  ask(mock, [id = 0]: readonly number[], flags) {
    const change = readChange(flags)
    return Object.keys(change).length === 0
      ? mock.whatIf(id, { alternatives: true })
      : mock.whatIf(id, change)
  },
  render(found, flags, [id]: readonly number[]) {
    if (!('status' in found))
      return found.length === 0
        ? ['No other choice would have changed the response.']
        : describeAlternatives(found)
    const { status, response, differs } = found
    const isOther = typeof differs?.status === 'number'
    const other = isOther
      ? ` instead of ${printStatus(differs.status)}`
      : ', as it did, but not the same response'
    const result = `${printStatus(status)}${differs === null ? ', as it did' : other}`
    const line = `#${id} ${describeWhatIfChange(readChange(flags))} would get ${result}`
    return response.body === '' ? [line] : [line, response.body]
  },
})

function readChange({
  assume,
  withoutFaults,
  now,
  latency,
  data,
}: FlagValues<typeof whatIfFlags>): WhatIfChange {
  return withoutUndefined({
    assume: assume && mergeChoices(assume),
    without: withoutFaults ? 'faults' : undefined,
    at: now,
    latency: latency && parseLatency(latency),
    request: data === undefined ? undefined : { body: data },
  }) as WhatIfChange
}
