// `status`: what a running mock holds, and how it is set; with --diff, how that differs from its scenario.
import { type ControlClient, ControlError, findOrigin } from '../../client/client.ts'
import type { StateDiff } from '../../control/results.ts'
import { contract } from '../../generated/contract.ts'
import { listDifferences } from '../../render/differences.ts'
import { escapeUnsafe } from '../../render/escape.ts'
import { findChosen } from '../../settings/texts.ts'
import { defineCommand } from '../command.ts'
import { flagTables, type RemoteFlags } from '../flags.ts'
import { describeState, print, renderRows } from '../output.ts'
import { toDocumentText } from '../print-document.ts'
import { withMock, withState } from '../with-mock.ts'

const POLL_MS = 100

export const statusCommand = defineCommand({
  summary: 'show the state and settings of a running mock',
  flags: flagTables.status,
  examples: ['status', 'status --json', 'status --diff', 'status --wait 30s'],
  async run({ json, diff, wait, ...flags }) {
    if (wait !== undefined) await waitForMock(flags, wait)
    if (diff) {
      const differences = await withState(flags, (mock) => mock.diff())
      return print(json ? await toDocumentText(differences, 'json') : renderDiff(differences))
    }
    return print(await withState(flags, (mock) => describe(mock, flags.url, json), { isKeyless: true }))
  },
})

/** Asks again until a mock answers, whatever it says. */
function waitForMock(flags: RemoteFlags, milliseconds: number): Promise<unknown> {
  const end = performance.now() + milliseconds
  return withMock(flags, async (mock) => {
    for (;;) {
      try {
        return await mock.summary()
      } catch (error) {
        if (!(error instanceof ControlError) || error.status !== 0 || performance.now() >= end) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  })
}

async function describe(mock: ControlClient, url: string, isJson = false): Promise<string> {
  const summary = await mock.summary()
  const state = await mock.state({ pets: false })
  if (isJson) {
    const { faults, surprise } = state
    const status = { ...summary, clock: await mock.clock.get(), faults, assume: findChosen(state) }
    return toDocumentText({ ...status, ...(surprise && { surprise }) }, 'json')
  }
  const address = `${findOrigin(url)}${contract.basePath} (version ${summary.version})`
  return renderRows([['Mock', address], ['Scenario', summary.scenario], ...describeState(summary, state)])
}

function renderDiff(diff: StateDiff): string {
  const lines = renderRows(listDifferences(diff), '  ')
  const name = escapeUnsafe(diff.scenario)
  return lines === '' ? `No differences from ${name}\n` : `Differences from ${name}:\n${lines}`
}
