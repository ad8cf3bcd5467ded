// Commands for the state of a running mock.
import { basename, extname } from 'node:path'
import { type ControlClient, findOrigin } from '../../client/client.ts'
import type { WhatIfChange } from '../../control/results.ts'
import { contract } from '../../generated/contract.ts'
import { PRIVATE, replaceFile } from '../../hosts/node/replace-file.ts'
import { describeAlternatives, describeWhatIfChange, listDifferences } from '../../render/differences.ts'
import { escapeUnsafe } from '../../render/escape.ts'
import { findScenario } from '../../scenario/files.ts'
import { parseInteger } from '../../settings/flag.ts'
import { findChosen, withoutDefaults } from '../../settings/texts.ts'
import type { Delay } from '../../world/faults.ts'
import type { ChangeRow } from '../../world/row.ts'
import { defineCommand, flagTables, type RemoteFlags } from '../flags.ts'
import { describeSummary, formatOf, listState, notify, print, type Row, renderRows, toJsonText, toScenarioText } from '../output.ts'
import { withState } from '../with-mock.ts'

const KEYLESS = { isKeyless: true }

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
  run: (flags, [id]: readonly number[]) => goBack(flags, (mock) => mock.undo(id)),
})

export const rewindCommand = defineCommand({
  summary: 'go back to the state before a request or a change',
  arguments: [['<id>', 'its number, as `requests` shows it', parseInteger]],
  flags: flagTables.remote,
  examples: ['rewind 12'],
  run: (flags, [id]: readonly number[]) => goBack(flags, (mock) => mock.rewind(id as number)),
})

async function goBack(flags: RemoteFlags, change: (mock: ControlClient) => Promise<ChangeRow>): Promise<void> {
  const { id, text } = await withState(flags, change, KEYLESS)
  await print(`${escapeUnsafe(`#${id} ${text}`)}\n`)
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
    // It is no longer the loaded scenario, so it is named after its file.
    const name = basename(output, extname(output))
    await replaceFile(output, await toScenarioText({ ...state, name }, format, output), PRIVATE)
    const summary = describeSummary({ scenario: name, pets: state.pets?.length ?? 0 })
    return print(`Wrote ${escapeUnsafe(output)}: ${summary}${moment}\n`)
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
    const file = escapeUnsafe(output)
    return print(`Wrote ${file}, without API keys; animal-store-mock open ${file} shows it\n`)
  },
})

export const statusCommand = defineCommand({
  summary: 'show the state and settings of a running mock',
  flags: flagTables.status,
  examples: ['status', 'status --json', 'status --diff', 'status --wait 30s'],
  async run({ json = false, diff, wait, ...flags }) {
    if (!diff) {
      const access = { isKeyless: true, waitMs: wait }
      return print(await withState(flags, (mock) => describe(mock, flags.url, json), access))
    }
    const differences = await withState(flags, (mock) => mock.diff(), { waitMs: wait })
    if (json) return print(toJsonText(differences))
    const lines = renderRows(listDifferences(differences), '  ')
    const name = escapeUnsafe(differences.scenario)
    return print(lines === '' ? `No differences from ${name}\n` : `Differences from ${name}:\n${lines}`)
  },
})

async function describe(mock: ControlClient, url: string, isJson: boolean): Promise<string> {
  const summary = await mock.summary()
  const state = await mock.state({ pets: false })
  const { faults, surprise } = state
  if (isJson) {
    const status = { ...summary, clock: await mock.clock.get(), faults, assume: findChosen(state) }
    return toJsonText({ ...status, ...(surprise && { surprise }) })
  }
  const address: Row = ['Mock', `${findOrigin(url)}${contract.basePath} (version ${summary.version})`]
  return renderRows([address, ['Scenario', summary.scenario], ...listState(summary, state)])
}

export const whatIfCommand = defineCommand({
  summary: 'show what a request would have got with one thing changed; nothing happens to the mock',
  arguments: [['<id>', 'the number of a request, as `requests` shows it', parseInteger]],
  flags: flagTables.whatIf,
  examples: ['what-if 13', 'what-if 13 --assume invalid-query=clamp', `what-if 13 --data '{"name":"Rex","categoryId":1}'`],
  async run({ assume, withoutFaults, now, latency, data, json, ...flags }, [id = 0]: readonly number[]) {
    const change: WhatIfChange = {
      ...(assume && { assume: Object.assign({}, ...assume) }),
      ...(withoutFaults && { without: 'faults' }),
      ...(now !== undefined && { at: now }),
      ...(latency !== undefined && { latency: latency as Delay }),
      ...(data !== undefined && { request: { body: data } }),
    }
    if (Object.keys(change).length === 0) {
      const alternatives = await withState(flags, (mock) => mock.whatIf(id, { alternatives: true }))
      const lines = describeAlternatives(alternatives).join('\n')
      const text = lines || 'No other choice would have changed the response.'
      return print(json ? toJsonText(alternatives) : `${text}\n`)
    }
    const found = await withState(flags, (mock) => mock.whatIf(id, change))
    if (json) return print(toJsonText(found))
    const { status, body, differs } = found
    const other = differs?.status === null ? ', as it did, but not the same response' : ` instead of ${differs?.status}`
    const result = `${status || 'no response'}${differs === null ? ', as it did' : other}`
    const line = `#${id} ${describeWhatIfChange(change)} would get ${result}\n`
    return print(line + (body === '' ? '' : `${escapeUnsafe(body)}\n`))
  },
})
