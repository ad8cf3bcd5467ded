// `what-if`: the response that a logged request would have got with one thing changed.
import type { WhatIfChange } from '../../control/results.ts'
import { describeAlternatives, describeWhatIfChange } from '../../render/differences.ts'
import { escapeUnsafe } from '../../render/escape.ts'
import { parseInteger } from '../../settings/flag.ts'
import type { Delay } from '../../world/faults.ts'
import { defineCommand } from '../command.ts'
import { flagTables } from '../flags.ts'
import { print } from '../output.ts'
import { withState } from '../with-mock.ts'

export const whatIfCommand = defineCommand({
  summary: 'show what a request would have got with one thing changed; nothing happens to the mock',
  arguments: [['<id>', 'the number of a request, as `requests` shows it', parseInteger]],
  flags: flagTables.whatIf,
  examples: ['what-if 13', 'what-if 13 --assume invalid-query=clamp', `what-if 13 --data '{"name":"Rex","categoryId":1}'`],
  async run({ assume, withoutFaults, now, latency, data, json, ...flags }, [id]: readonly number[]) {
    const change: WhatIfChange = {
      ...(assume && { assume: Object.assign({}, ...assume) }),
      ...(withoutFaults && { without: 'faults' }),
      ...(now !== undefined && { at: now }),
      ...(latency !== undefined && { latency: latency as Delay }),
      ...(data !== undefined && { request: { body: data } }),
    }
    const row = id as number
    if (Object.keys(change).length === 0) {
      const alternatives = await withState(flags, (mock) => mock.whatIf(row, { alternatives: true }))
      if (json) return print(`${JSON.stringify(alternatives, null, 2)}\n`)
      const lines = describeAlternatives(alternatives)
      return print(`${lines.length === 0 ? 'Nothing that can be chosen would have given another response.' : lines.join('\n')}\n`)
    }
    const found = await withState(flags, (mock) => mock.whatIf(row, change))
    if (json) return print(`${JSON.stringify(found, null, 2)}\n`)
    const { status, body, differs } = found
    const was =
      differs === null
        ? ', as it did'
        : differs.status === null
          ? ', as it did, but not the same response'
          : ` instead of ${differs.status}`
    await print(
      `#${row} ${describeWhatIfChange(change)} would get ${status || 'no response'}${was}\n${body === '' ? '' : `${escapeUnsafe(body)}\n`}`,
    )
  },
})
