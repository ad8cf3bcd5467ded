// `held` and `release`: the responses that a running mock holds, and when they are sent.
import { mismatch } from '../../contract/errors.ts'
import { joinWords } from '../../contract/problem.ts'
import { ROW_ID } from '../../control/method-inputs.ts'
import { describeRequest } from '../../control/rows/describe-request.ts'
import { parseNumberBy } from '../../scenario/settings/flag.ts'
import type { RequestRow } from '../../world/row.ts'
import type { ReleaseAs } from '../../world/waiting.ts'
import { defineRemote } from '../lib/define-remote.ts'

export const heldCommand = defineRemote<Record<never, never>, readonly RequestRow[]>({
  summary: 'list the requests whose responses a running mock holds',
  examples: ['held'],
  ask: (mock) => mock.held(),
  render(rows) {
    if (rows.length === 0) return ['No response is held']
    return rows.flatMap((row) => describeRequest(row))
  },
})

const flags = {
  as: {
    syntax: '--as <status>',
    help: 'send this error instead, such as 503; or lost: no response',
    parse: parseAs,
  },
} as const

export const releaseCommand = defineRemote<typeof flags, readonly number[]>({
  summary: 'send the responses that a running mock holds or delays',
  arguments: [['[id]', 'the row of one; by default all', parseNumberBy(ROW_ID)]],
  flags,
  examples: ['release', 'release 3', 'release 3 --as 503', 'release --as lost'],
  ask: (mock, [id]: readonly number[], values) => mock.release(id, values.as),
  render(ids) {
    if (ids.length === 0) return ['No response is waiting']
    const rows = ids.length === 1 ? 'row' : 'rows'
    return [`Released ${rows} ${joinWords(ids.map(String), 'and')}`]
  },
})

function parseAs(text: string): ReleaseAs {
  if (text === 'lost') return 'lost'
  if (/^[45]\d\d$/.test(text)) return { status: Number(text) }
  throw mismatch('', 'a status from 400 to 599, or lost', { got: text })
}
