// Whether the mock has received what a tester expects, for test suites in any language.
import { toJson } from '../contract/int64-json.ts'
import { cutText } from '../contract/values.ts'
import { showRow } from '../world/show-row.ts'
import type { Verification } from './control.ts'
import {
  type Compared,
  type Expectation,
  explainVerdict,
  nearestOf,
  takeVerdict,
  type Verdict,
} from './rows/verdict.ts'
import { type Found, foundInTurns, type View } from './view.ts'

const MAX_VALUE_CHARACTERS = 100

export function verify(view: View, expected: Expectation): Found {
  const { timeline, sandbox } = view.world
  const { apiKey } = expected
  const rows = timeline.requests({ waiting: true })
  const keyed = apiKey === undefined ? rows : timeline.requests({ waiting: true, apiKey })
  const shown = rows.map((row) => showRow(row, sandbox))
  return foundInTurns(() => takeVerdict(shown, expected, keyed), describeVerdict)
}

function describeVerdict(verdict: Verdict): Verification {
  return {
    ok: verdict.pass,
    count: verdict.matching.length,
    message: explainVerdict(verdict, '', showValue).join('\n'),
    nearest: verdict.pass ? [] : nearestOf(verdict).map(describeNearest),
  }
}

function describeNearest(near: Compared): Verification['nearest'][number] {
  const differences = near.differences.map((one) => {
    return { path: one.path, expected: showValue(one.expected), got: showValue(one.got) }
  })
  return { id: near.row.id, differences }
}

function showValue(value: unknown): string {
  return value === undefined ? 'nothing' : cutText(toJson(value), MAX_VALUE_CHARACTERS)
}
