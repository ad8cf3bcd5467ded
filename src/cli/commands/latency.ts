// `latency`: shows the delay of every response of a running mock, and changes it.
import { parseLatency } from '../../hosts/parse-settings.ts'
import { defineCommand } from '../command.ts'
import { settingFlags } from '../flags.ts'
import { print, toDocumentText } from '../print-document.ts'
import { toLatencyText } from '../say.ts'
import { changeState, readArgument, withState } from '../with-mock.ts'

export const latencyCommand = defineCommand({
  summary: 'show the latency of a running mock, or change it',
  arguments: [['[value]', 'milliseconds like 200, a range like 200-800, or off']],
  flags: settingFlags,
  examples: ['latency', 'latency 200-800', 'latency off'],
  async run({ json, ...flags }, [value]) {
    const wanted = value === undefined || value === 'off' ? null : readArgument('latency', value, parseLatency, ', or off')
    const latency = await (value === undefined
      ? withState(flags, (mock) => mock.latency.get())
      : changeState(flags, async (mock) => {
          await mock.latency.set(wanted)
          return wanted
        }))
    if (json) return print(await toDocumentText(latency, 'json'))
    return print(`${latency === null ? 'none' : toLatencyText(latency)}\n`)
  },
})
