// `clock`: shows the clock of a running mock, moves it or stops it.
import type { RemoteControl } from '../../client/remote.ts'
import { UsageError } from '../../contract/errors.ts'
import type { ClockState } from '../../control/control.ts'
import { defineCommand } from '../command.ts'
import { remoteFlags } from '../flags.ts'
import { print } from '../print-document.ts'
import { changeState, toClockText, withMock } from '../with-mock.ts'

type ClockChange = (clock: RemoteControl['clock']) => Promise<ClockState>

export const clockCommand = defineCommand({
  summary: 'show, set, advance, freeze or unfreeze the clock of a running mock, or set it to real time',
  arguments: [
    ['[action]', 'set, advance, freeze, unfreeze or real'],
    ['[value]', 'a date for set, an ISO 8601 duration for advance'],
  ],
  flags: remoteFlags,
  examples: ['clock', 'clock set 2030-12-06', 'clock advance P1D', 'clock advance -PT1H', 'clock freeze', 'clock real'],
  arrange: putDurationsLast,
  async run(flags, [action, value]) {
    const change = toClockChange(action, value)
    const state = await (change ? changeState(flags, ({ clock }) => change(clock)) : withMock(flags, ({ clock }) => clock.get()))
    await print(`${toClockText(state)}\n`)
  },
})

/** A negative duration looks like a flag; behind two dashes it is none. */
export function putDurationsLast(args: readonly string[]): readonly string[] {
  const isDuration = (arg: string) => arg.startsWith('-P')
  if (args.includes('--') || !args.some(isDuration)) return args
  return [...args.filter((arg) => !isDuration(arg)), '--', ...args.filter(isDuration)]
}

/** What the words after `clock` ask for; undefined if only to show it. */
export function toClockChange(action: string | undefined, value: string | undefined): ClockChange | undefined {
  switch (action) {
    case undefined:
      return undefined
    case 'set':
      if (value === undefined) throw new UsageError('clock set: a date is required, e.g. 2030-12-06')
      return (clock) => clock.set(value)
    case 'advance':
      if (value === undefined) throw new UsageError('clock advance: an ISO 8601 duration is required, e.g. P1D')
      return (clock) => clock.advance(value)
    case 'freeze':
    case 'unfreeze':
    case 'real':
      if (value !== undefined) throw new UsageError(`clock ${action}: unexpected ${JSON.stringify(value)}`)
      if (action === 'real') return (clock) => clock.set(new Date().toISOString(), { frozen: false })
      return (clock) => clock.freeze(action === 'freeze')
    default:
      throw new UsageError(`clock: expected set, advance, freeze, unfreeze or real, got ${JSON.stringify(action)}`)
  }
}
