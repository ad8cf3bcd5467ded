// Logged requests as paragraphs, for the report of a failed test and for agents. Text from rows is
// escaped.
import { escapeUnsafe } from '../../contract/escape.ts'
import { count } from '../../contract/problem.ts'
import { cutText, sum } from '../../contract/values.ts'
import { isChange, isRequest, type RequestRow, type TimelineRow } from '../../world/row.ts'
import { readSeed, SURPRISE_HEADER } from '../../world/surprise.ts'
import { printReasons } from './reasons.ts'
import { describeTimes, groupRepeats, type Repeats } from './repeats.ts'

const MAX_SHOWN_CHARACTERS = 200
const MAX_SHOWN_REQUESTS = 20
const MAX_SHOWN_ROWS = 40

/** `#3 POST /v1/pets → 400 (key …-key)` with, indented, the differences and the reasons. */
export function describeRequest(row: RequestRow, differences: readonly string[] = []): string[] {
  const details = [...differences]
  for (const { kind, text } of printReasons(row)) {
    // The word sets it apart from the differences.
    details.push(kind === 'refused' ? `refused: ${text}` : text)
  }
  const { body } = row.request
  if (body !== '') details.push(`request body: ${cutText(body, MAX_SHOWN_CHARACTERS)}`)
  const indented = details.map((detail) => `    ${detail}`)
  return [describeResult(row), ...indented].map(escapeUnsafe)
}

function describeResult(row: RequestRow): string {
  const target = cutText(row.target, MAX_SHOWN_CHARACTERS)
  const result = row.outcome === 'sent' ? row.status : row.outcome
  const key = row.key === null ? '' : ` (key ${row.key})`
  return `#${row.id} ${row.method} ${target} → ${result}${key}`
}

/** The request log of a test: its last requests, and the changes among them. */
export function describeRequests(test: string, rows: readonly TimelineRow[], after = ''): string {
  const requests = rows.filter(isRequest)
  const groups = groupRepeats(rows)
  const lastRequests = groups.filter((group) => isRequest(group.row)).slice(-MAX_SHOWN_REQUESTS)
  const shown = sum(lastRequests.map((group) => group.times))
  let title = `Request log of ${JSON.stringify(test)}: ${count(requests.length, 'request')}`
  let shownGroups = groups
  if (shown < requests.length) {
    title += `, of which the last ${shown}:`
    const firstId = lastRequests[0]?.first.id ?? 0
    shownGroups = groups.filter((group) => group.first.id >= firstId)
  }

  const lines = [title + describeSeed(requests)]
  for (const group of shownGroups.slice(-MAX_SHOWN_ROWS)) lines.push(...describeGroup(group))
  for (const line of after.split('\n')) {
    if (line !== '') lines.push(line)
  }
  return lines.join('\n  ')
}

function describeSeed(requests: readonly RequestRow[]): string {
  const seeds = requests.map((row) => readSeed(row.response.headers[SURPRISE_HEADER]))
  const seed = seeds.find((one) => one !== undefined)
  if (seed === undefined) return ''
  const again = `to see them again, set ANIMAL_STORE_SURPRISE=${seed}, and the same kinds`
  return ` (surprises of seed ${seed}; ${again})`
}

function describeGroup(group: Repeats<TimelineRow>): string[] {
  const { row } = group
  if (isChange(row)) return [escapeUnsafe(`#${row.id} ◆ ${row.text}`)]
  const [line = '', ...details] = describeRequest(row)
  const times = describeTimes(group)
  if (times === '') return [line, ...details]
  return [`${line}, ${times}`, ...details]
}

/** `1 request came with the key …b, 2 requests came without a key`. */
export function describeKeys(rows: readonly RequestRow[]): string {
  if (rows.length === 0) return ''
  const parts: string[] = []
  for (const key of new Set(rows.map((row) => row.key))) {
    const own = rows.filter((row) => row.key === key)
    const how = key === null ? 'without a key' : `with the key ${key}`
    parts.push(`${count(own.length, 'request')} came ${how}`)
  }
  return escapeUnsafe(`${parts.join(', ')}.`)
}
