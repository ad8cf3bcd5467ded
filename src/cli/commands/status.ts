// `status`: what a running mock holds, and how it is set; with --diff, how that differs from its scenario.
import { type ControlClient, ControlError, findOrigin } from '../../client/client.ts'
import { escapeUnsafe } from '../../client/escape.ts'
import { toJson } from '../../contract/int64-json.ts'
import type { StateDiff, StateSummary } from '../../control/control.ts'
import { contract } from '../../generated/contract.ts'
import { printDelay } from '../../settings/duration.ts'
import { printFault } from '../../settings/fault-text.ts'
import { findChosen, printClock } from '../../settings/texts.ts'
import type { DelayMs, LiveFault } from '../../world/faults.ts'
import { defineCommand } from '../command.ts'
import { flagTables, type RemoteFlags } from '../flags.ts'
import { describeState, print, type Row, renderRows } from '../output.ts'
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
    return print(await withState(flags, (mock, summary) => describe(mock, summary, flags.url, json), { isKeyless: true }))
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

async function describe(mock: ControlClient, summary: StateSummary, url: string, isJson = false): Promise<string> {
  const state = await mock.state({ pets: false })
  if (isJson) {
    const { faults, surprise } = state
    const status = { ...summary, clock: await mock.clock.get(), faults, assume: findChosen(state) }
    return toDocumentText({ ...status, ...(surprise && { surprise }) }, 'json')
  }
  const address = `${findOrigin(url)}${contract.basePath} (version ${summary.version})`
  return renderRows([['Mock', address], ['Scenario', summary.scenario], ...describeState(summary, state)])
}

/** One line for each difference. */
function renderDiff({ scenario, pets, clock, latency, faults, assume }: StateDiff): string {
  const toLatency = (delay: DelayMs | null) => (delay === null ? 'none' : printDelay(delay))
  const toFault = (fault: LiveFault) => `${fault.id}: ${printFault(fault)}`
  const rows: readonly Row[] = [
    ...pets.added.map((pet): Row => ['added', toJson(pet)]),
    ...pets.changed.map(({ before, after }): Row => ['changed', `${toJson(before)} → ${toJson(after)}`]),
    ...pets.removed.map((pet): Row => ['removed', toJson(pet)]),
    ['clock', clock !== null && `${printClock(clock.before)} → ${printClock(clock.after)}`],
    ['latency', latency !== null && `${toLatency(latency.before)} → ${toLatency(latency.after)}`],
    ...faults.added.map((fault): Row => ['fault', `added ${toFault(fault)}`]),
    ...faults.removed.map((fault): Row => ['fault', `removed ${toFault(fault)}`]),
    ...assume.map(({ id, before, after }): Row => ['assumes', `${id}: ${before} → ${after}`]),
  ]
  const lines = renderRows(rows, '  ')
  const name = escapeUnsafe(scenario)
  return lines === '' ? `No differences from ${name}\n` : `Differences from ${name}:\n${lines}`
}
