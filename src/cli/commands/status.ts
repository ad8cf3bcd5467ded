// `status`: what a running mock holds, and how it is set; with --diff, how that differs from its scenario.
import { type ControlClient, ControlError } from '../../client/client.ts'
import { describeDelay, describeFault } from '../../client/describe-fault.ts'
import { escapeUnsafe } from '../../client/escape.ts'
import { toJson } from '../../contract/int64-json.ts'
import type { StateDiff } from '../../control/control.ts'
import { contract } from '../../generated/contract.ts'
import type { Delay } from '../../world/faults.ts'
import { defineCommand } from '../command.ts'
import { flagTables, type RemoteFlags } from '../flags.ts'
import { print, toDocumentText } from '../print-document.ts'
import { findChosen, toClockText, toCount, toFaultText, toLatencyText } from '../say.ts'
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
    const status = await withState(flags, readStatus, { isKeyless: true })
    return print(json ? await toDocumentText(status, 'json') : renderStatus(status, flags.url))
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

async function readStatus(mock: ControlClient) {
  const { version, scenario, pets, latency, sandboxes } = await mock.summary()
  const { surprise } = await mock.state({ pets: false })
  return {
    version,
    scenario,
    pets,
    clock: await mock.clock.get(),
    ...(latency === undefined ? {} : { latency }),
    faults: await mock.faults.list(),
    assume: Object.fromEntries(findChosen(await mock.assumptions()).map(({ id, choice }) => [id, choice])),
    ...(surprise === undefined ? {} : { surprise }),
    ...(sandboxes === undefined ? {} : { sandboxes }),
  }
}

function renderStatus(status: Awaited<ReturnType<typeof readStatus>>, url: string): string {
  const { version, scenario, pets, clock, latency, faults, assume, surprise, sandboxes } = status
  const choices = Object.entries(assume).map(([question, choice]) => `${question}=${choice}`)
  const rows = [
    ['Mock', `${url}${contract.basePath} (version ${version})`],
    ['Scenario', scenario],
    ['Animals', toCount(pets)],
    ['Clock', toClockText(clock)],
    ['Latency', latency === undefined ? 'none' : toLatencyText(latency)],
    ['Faults', faults.length === 0 ? 'none' : toCount(faults.length)],
    ...faults.map((fault) => ['', toFaultText(fault)]),
    ['Assumes', choices.length === 0 ? 'the defaults' : choices.join(', ')],
    ...(surprise === undefined ? [] : [['Surprises', `seed ${surprise.seed}`]]),
    ...(sandboxes === undefined ? [] : [['Sandboxes', `${sandboxes}, one state per API key`]]),
  ]
  return rows.map(([name = '', text = '']) => `${name.padEnd(9)} ${escapeUnsafe(text)}\n`).join('')
}

/** One line for each difference. */
function renderDiff({ scenario, pets, clock, latency, faults, assume }: StateDiff): string {
  const toLatency = (delay: Delay | null) => (delay === null ? 'none' : describeDelay(delay))
  const rows = [
    ...pets.added.map((pet) => ['added', toJson(pet)]),
    ...pets.changed.map(({ before, after }) => ['changed', `${toJson(before)} → ${toJson(after)}`]),
    ...pets.removed.map((pet) => ['removed', toJson(pet)]),
    ...(clock ? [['clock', `${toClockText(clock.before)} → ${toClockText(clock.after)}`]] : []),
    ...(latency ? [['latency', `${toLatency(latency.before)} → ${toLatency(latency.after)}`]] : []),
    ...faults.added.map((fault) => ['fault', `added ${fault.id}: ${fault.operation} ${describeFault(fault)}`]),
    ...faults.removed.map((fault) => ['fault', `removed ${fault.id}: ${fault.operation} ${describeFault(fault)}`]),
    ...assume.map(({ id, before, after }) => ['assumes', `${id}: ${before} → ${after}`]),
  ]
  const lines = rows.map(([kind = '', text = '']) => `  ${kind.padEnd(8)} ${escapeUnsafe(text)}\n`)
  return `${rows.length === 0 ? 'No differences' : 'Differences'} from ${escapeUnsafe(scenario)}${rows.length === 0 ? '' : ':'}\n${lines.join('')}`
}
