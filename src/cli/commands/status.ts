// `status`: what a running mock holds, and how it is set.
import { type ControlClient, ControlError } from '../../client/client.ts'
import { escapeUnsafe } from '../../client/escape.ts'
import { contract } from '../../generated/contract.ts'
import { defineCommand } from '../command.ts'
import { type RemoteFlags, statusFlags } from '../flags.ts'
import { print, toDocumentText } from '../print-document.ts'
import { findChosen, toCount, toFaultText, toLatencyText } from '../say.ts'
import { toClockText, withMock, withState, withWorld } from '../with-mock.ts'

const POLL_MS = 100

export const statusCommand = defineCommand({
  summary: 'show the state and settings of a running mock',
  flags: statusFlags,
  examples: ['status', 'status --json', 'status --diff', 'status --wait 30s'],
  async run({ json, diff, wait, ...flags }) {
    if (wait !== undefined) await waitForMock(flags, wait)
    if (diff) return showDiff(flags, json)
    const status = await withWorld(flags, readStatus)
    if (json) return print(await toDocumentText(status, 'json'))
    const choices = Object.entries(status.assume).map(([question, choice]) => `${question}=${choice}`)
    const rows = [
      ['Mock', `${flags.url}${contract.basePath} (version ${status.version})`],
      ['Scenario', status.scenario],
      ['Animals', toCount(status.pets)],
      ['Clock', toClockText(status.clock)],
      ['Latency', status.latency === undefined ? 'none' : toLatencyText(status.latency)],
      ['Faults', status.faults.length === 0 ? 'none' : toCount(status.faults.length)],
      ...status.faults.map((fault) => ['', toFaultText(fault)]),
      ['Assumes', choices.length === 0 ? 'the defaults' : choices.join(', ')],
      ...(status.surprise === undefined ? [] : [['Surprises', `seed ${status.surprise.seed}`]]),
      ...(status.sandboxes === undefined ? [] : [['Sandboxes', `${status.sandboxes}, one state per API key`]]),
    ]
    return print(rows.map(([name = '', text = '']) => `${name.padEnd(9)} ${escapeUnsafe(text)}\n`).join(''))
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

async function showDiff(flags: RemoteFlags, json = false): Promise<void> {
  const diff = await withState(flags, (mock) => mock.diff())
  if (json) return print(await toDocumentText(diff, 'json'))
  const { describeDiff } = await import('../describe-diff.ts')
  return print(describeDiff(diff))
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
