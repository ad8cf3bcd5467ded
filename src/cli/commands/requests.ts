// `requests`: the request log of a running mock, and with --follow whatever comes in from then on.
import type { ControlClient } from '../../client/client.ts'
import { escapeUnsafe } from '../../client/escape.ts'
import { hasColour, toChangeLine, toPrettyLine } from '../../client/log-line.ts'
import { toHar } from '../../client/to-har.ts'
import { toJson } from '../../contract/int64-json.ts'
import type { StateSummary } from '../../control/control.ts'
import { type ChangeRow, isChange } from '../../world/change.ts'
import type { LogEntry, LogFilter } from '../../world/log-entry.ts'
import { defineCommand } from '../command.ts'
import { flagTables, type RequestsFlags } from '../flags.ts'
import { notify, print } from '../output.ts'
import { toDocumentText } from '../print-document.ts'
import { withState } from '../with-mock.ts'

export const requestsCommand = defineCommand({
  summary: 'show the requests that a running mock received, and what changed among them',
  flags: flagTables.requests,
  examples: ['requests --follow', 'requests --operation createPet --status 400 --json', 'requests --har > requests.har'],
  run: (flags) => withState(flags, (mock, summary) => show(mock, summary, flags), { isKeyless: true }),
})

async function show(mock: ControlClient, { version, sandboxes }: StateSummary, flags: RequestsFlags): Promise<void> {
  const { follow, json, har, verbose, all, changes = !json && !har, operation, status, method, limit } = flags
  // Without the filters that were not given; the last n are the request log's alone.
  const given = Object.entries({ operation, status, method }).filter(([, value]) => value !== undefined)
  const filter: LogFilter = Object.fromEntries(given)
  const isWanted = (entry: LogEntry) => given.every(([name, value]) => entry[name as keyof typeof entry] === value)
  const showsChanges = changes && given.length === 0
  const colour = hasColour(process.stdout, process.env)
  const toLine = (row: LogEntry | ChangeRow) => {
    if (json) return `${escapeUnsafe(toJson(changes && !isChange(row) ? { type: 'request', ...row } : row))}\n`
    return isChange(row) ? `${toChangeLine(row, colour)}\n` : `${toPrettyLine(row, colour, all)}\n${verbose ? renderBodies(row) : ''}`
  }
  // The stream is opened first: what happens while the request log is read would be lost otherwise.
  const events = follow ? await mock.events() : undefined
  const wanted = limit === undefined ? filter : { ...filter, limit }
  const rows = await (changes ? mock.timeline : mock.requests)(all ? { ...wanted, sandbox: '*' } : wanted)
  if (!all && flags.sandbox === undefined && sandboxes !== undefined) {
    notify('Sandboxes are on: earlier requests with a valid key are not listed here; name one with --sandbox <key>, or use --all')
  }
  if (rows.length === 0) notify(`No requests${Object.keys(wanted).length === 0 ? '' : ' match'}`)
  if (har) return print(await toDocumentText(toHar(rows, { version, origin: new URL(flags.url).origin }), 'json'))
  await print(json && !follow ? await toDocumentText(rows, 'json') : rows.map(toLine).join(''))
  if (!events) return
  // What happened between the two calls comes twice. A Worker numbers the requests of each sandbox separately.
  const toName = ({ sandbox, id }: LogEntry | ChangeRow) => `${id} ${sandbox}`
  const shown = new Set(rows.map(toName))
  for await (const event of events) {
    const row =
      event.type === 'request' && isWanted(event.entry) ? event.entry : event.type === 'change' && showsChanges ? event.row : undefined
    if (row && !shown.has(toName(row))) await print(toLine(row))
  }
  notify('The mock has stopped')
}

function renderBodies({ request, response }: LogEntry): string {
  const lines = (mark: string, body: string) => (body === '' ? [] : body.split('\n').map((line) => `  ${mark} ${escapeUnsafe(line)}\n`))
  return [...lines('>', request.body), ...lines('<', response.body)].join('')
}
