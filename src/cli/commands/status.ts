// `status`: the state and settings of a running mock, or what differs from its scenario.
import { escapeUnsafe, toJsonText } from '../../contract/escape.ts'
import { contract } from '../../contract/generated/contract.ts'
import { withoutUndefined } from '../../contract/values.ts'
import type { ControlClient } from '../../control/client/client.ts'
import { listDifferences } from '../../control/describe-differences.ts'
import { checkDuration } from '../../scenario/settings/duration.ts'
import { settingNames, settingRows } from '../../scenario/settings/rows.ts'
import { settingTexts } from '../../scenario/settings/texts.ts'
import { findListedKeys, type ReadScenario } from '../../world/scenario.ts'
import { defineCommand } from '../lib/command.ts'
import { listState, renderLabelled } from '../lib/describe-state.ts'
import { json, remoteFlags } from '../lib/flags.ts'
import { joinLines, print } from '../lib/output.ts'
import { withState } from '../lib/with-mock.ts'

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
  async run(flags) {
    const { json: isJson = false, diff = false, ...remote } = flags
    const use = (mock: ControlClient) =>
      diff ? renderDiff(mock, isJson) : renderStatus(mock, remote.url, isJson)
    await print(await withState(remote, use, { isQuiet: !diff }))
  },
})

async function renderDiff(mock: ControlClient, isJson: boolean): Promise<string> {
  const differences = await mock.diff()
  if (isJson) return toJsonText(differences)
  const name = escapeUnsafe(differences.scenario)
  const lines = listDifferences(differences).map(([, text]) => `  ${escapeUnsafe(text)}`)
  if (lines.length === 0) return `No differences from ${name}\n`
  return joinLines([`Differences from ${name}:`, ...lines])
}

async function renderStatus(mock: ControlClient, url: string, isJson: boolean): Promise<string> {
  const address = url + contract.basePath
  const summary = await mock.summary()
  const state = await mock.state({ pets: false })
  if (isJson) {
    const clock = await mock.clock.get()
    const settings = { clock, faults: [], assume: {}, ...pickSettings(state) }
    return toJsonText({ url: address, ...summary, ...settings })
  }
  const { version, scenario, recording } = summary
  const from = recording ? `${scenario}, in the recording ${recording.file}` : scenario
  return renderLabelled([
    ['Mock', `${address} (version ${version})`],
    ['Scenario', from],
    ...listState(summary, state),
  ])
}

/** Everything except secrets, which are counted, and the clock, which runs on. */
function pickSettings(state: ReadScenario): Record<string, unknown> {
  const settings: Record<string, unknown> = { listedKeys: findListedKeys(state)?.length }
  for (const name of settingNames) {
    const isSecret = settingRows[name].schema.writeOnly
    const isClock = name in settingTexts.clock.flags
    if (!isSecret && !isClock) settings[name] = state[name]
  }
  return withoutUndefined(settings)
}
