// `what-if`: what a logged request would get with one thing changed.
import { rethrow } from '../../contract/errors.ts'
import type { Problem } from '../../contract/problem.ts'
import { withoutUndefined } from '../../contract/values.ts'
import type { Alternative, WhatIf, WhatIfChange } from '../../control/control.ts'
import { printStatus } from '../../control/print-status.ts'
import { describeAlternatives, describeWhatIfChange } from '../../control/text/describe-what-if.ts'
import { checkLatency, parseLatency } from '../../scenario/settings/duration.ts'
import type { FlagValues } from '../../scenario/settings/flag.ts'
import { mergeChoices } from '../../scenario/settings/parse-choices.ts'
import { settingTexts } from '../../scenario/settings/texts.ts'
import { defineRemote } from '../lib/define-remote.ts'
import { positive } from '../lib/flags.ts'

const flags = {
  assume: {
    ...settingTexts.assume.flags.assume,
    help: 'with other choices for what the spec leaves open',
  },
  withoutFaults: {
    syntax: '--without-faults',
    help: 'without any fault',
  },
  now: {
    ...settingTexts.clock.flags.now,
    help: 'at another time, e.g. 2030-12-06',
  },
  latency: {
    syntax: '--latency <delay|off>',
    help: 'with another latency',
    parse: checkLatency,
  },
  data: {
    syntax: '--data <body>',
    help: 'with another body',
  },
} as const

type Found = WhatIf | readonly Alternative[]

export const whatIfCommand = defineRemote<typeof flags, Found>({
  summary: 'show what a request would have got with one thing changed; nothing happens to the mock',
  arguments: [['<id>', 'the number of a request, as `timeline` shows it', positive]],
  flags,
  examples: [
    'what-if 13',
    'what-if 13 --assume invalid-query=clamp',
    `what-if 13 --data '{"name":"Rex","categoryId":1}'`,
  ],
  ask(mock, [id = 0]: readonly number[], values) {
    const change = readChange(values)
    const isUnchanged = Object.keys(change).length === 0
    const asked = isUnchanged ? mock.whatIf(id, { alternatives: true }) : mock.whatIf(id, change)
    return asked.catch((error) => rethrow(error, (problems) => problems.map(nameFlag)))
  },
  render(found, values, [id]: readonly number[]) {
    if ('status' in found) {
      const change = describeWhatIfChange(readChange(values))
      const line = `#${id} ${change} would get ${describeResult(found)}`
      const lines = [line, ...found.notes]
      const { body } = found.response
      return body === '' ? lines : [...lines, body]
    }
    if (found.length === 0) return ['No other choice would have changed the response.']
    return describeAlternatives(found)
  },
})

function nameFlag(problem: Problem): Problem {
  const isBody = 'path' in problem && problem.path === 'request.body'
  return isBody ? { ...problem, path: '--data' } : problem
}

function readChange(values: FlagValues<typeof flags>): WhatIfChange {
  const { assume, withoutFaults, now, latency, data } = values
  return withoutUndefined({
    assume: assume && mergeChoices(assume),
    without: withoutFaults ? 'faults' : undefined,
    at: now,
    latency: latency && parseLatency(latency),
    request: data === undefined ? undefined : { body: data },
  }) as WhatIfChange
}

function describeResult({ status, differs }: WhatIf): string {
  const got = printStatus(status)
  if (differs === null) return `${got}, as it did`
  if (typeof differs?.status === 'number') return `${got} instead of ${printStatus(differs.status)}`
  return `${got}, as it did, but not the same response`
}
