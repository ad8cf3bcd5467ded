// `what-if`: what a logged request would get with one thing changed.
import { rethrow } from '../../contract/errors.ts'
import type { Problem } from '../../contract/problem.ts'
import { withoutUndefined } from '../../contract/values.ts'
import type { ControlClient } from '../../control/client/client.ts'
import type { Alternative, Onward, WhatIf, WhatIfChange } from '../../control/control.ts'
import { describeWhatIfChange } from '../../control/describe-what-if-change.ts'
import { printStatus } from '../../control/print-status.ts'
import { renderRowLine } from '../../control/rows/row-line.ts'
import { describeAlternatives } from '../../control/text/describe-alternatives.ts'
import { describeOnward } from '../../control/text/describe-onward.ts'
import { checkLatency, parseLatency } from '../../scenario/settings/duration.ts'
import type { FlagValues } from '../../scenario/settings/flag.ts'
import { mergeChoices } from '../../scenario/settings/parse-choices.ts'
import { settingTexts } from '../../scenario/settings/texts.ts'
import type { ChangeRow } from '../../world/row.ts'
import { defineRemote } from '../lib/define-remote.ts'
import { positive } from '../lib/flags.ts'

const flags = {
  assume: {
    ...settingTexts.assume.flags.assume,
    help: 'with other assumptions',
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
  fail: {
    ...settingTexts.faults.flags.fail,
    help: 'with this fault too',
  },
  onward: {
    syntax: '--onward',
    help: 'which of the later responses would differ, too',
  },
  all: {
    syntax: '--all',
    help: 'with --onward: every row',
  },
  makeItReal: {
    syntax: '--make-it-real',
    help: 'make the end of that line the present state; `undo` takes it back',
  },
} as const

type Found = WhatIf | Onward | ChangeRow | readonly Alternative[]

export const whatIfCommand = defineRemote<typeof flags, Found>({
  summary: 'show what a request, and those after it, would have got with one thing changed',
  arguments: [['<id>', 'the number of a request, as `timeline` shows it', positive]],
  flags,
  examples: [
    'what-if 13',
    'what-if 13 --assume invalid-query=clamp',
    'what-if 13 --without-faults --onward',
    'what-if 13 --without-faults --make-it-real',
    `what-if 13 --data '{"name":"Rex","categoryId":1}'`,
  ],
  ask(mock, [id = 0]: readonly number[], values) {
    const change = readChange(values)
    const asked: Promise<Found> = ask(mock, id, change, values)
    return asked.catch((error) => rethrow(error, (problems) => problems.map(nameFlag)))
  },
  render(found, values, [id]: readonly number[]) {
    const change = describeWhatIfChange(readChange(values))
    if ('considered' in found) {
      const [head, ...lines] = describeOnward(found)
      return [`#${id} ${change}: ${head}`, ...lines]
    }
    if ('text' in found) return [renderRowLine(found)]
    if ('status' in found) {
      const line = `#${id} ${change} would get ${describeResult(found)}`
      const lines = [line, ...found.notes]
      const { body } = found.response
      return body === '' ? lines : [...lines, body]
    }
    if (found.length === 0) return ['No other choice would have changed the response.']
    return describeAlternatives(found)
  },
})

async function ask(
  mock: ControlClient,
  id: number,
  change: WhatIfChange,
  { onward, all, makeItReal }: FlagValues<typeof flags>,
): Promise<Found> {
  if (makeItReal) return mock.makeReal(id, change)
  if (onward || all) return mock.whatIf(id, { ...change, onward: true, all })
  const isUnchanged = Object.keys(change).length === 0
  return isUnchanged ? mock.whatIf(id, { alternatives: true }) : mock.whatIf(id, change)
}

function nameFlag(problem: Problem): Problem {
  const isBody = 'path' in problem && problem.path === 'request.body'
  return isBody ? { ...problem, path: '--data' } : problem
}

function readChange(values: FlagValues<typeof flags>): WhatIfChange {
  const { assume, withoutFaults, now, latency, data, fail } = values
  return withoutUndefined({
    assume: assume && mergeChoices(assume),
    without: withoutFaults ? 'faults' : undefined,
    at: now,
    latency: latency && parseLatency(latency),
    request: data === undefined ? undefined : { body: data },
    with: fail,
  }) as WhatIfChange
}

function describeResult({ status, differs }: WhatIf): string {
  const got = printStatus(status)
  if (differs === null) return `${got}: the same response`
  if (typeof differs?.status === 'number') return `${got} instead of ${printStatus(differs.status)}`
  return `${got}, but another response`
}
