// `requests`: the request log of a running mock, and with --follow whatever comes in from then on.
import type { ControlClient } from '../../client/client.ts'
import { UsageError } from '../../contract/errors.ts'
import { toJson } from '../../contract/int64-json.ts'
import type { MockEvent } from '../../control/control.ts'
import { version } from '../../generated/version.ts'
import { escapeUnsafe } from '../../render/escape.ts'
import { hasColour, toLine } from '../../render/rows.ts'
import { toHar } from '../../render/to-har.ts'
import { type ChangeRow, isChange } from '../../world/change.ts'
import type { LogEntry, LogFilter } from '../../world/log-entry.ts'
import { type CliCommand, defineCommand } from '../command.ts'
import { flagTables, type RequestsFlags } from '../flags.ts'
import { notify, print } from '../output.ts'
import { toDocumentText } from '../print-document.ts'
import { withState } from '../with-mock.ts'

type Rows = readonly (LogEntry | ChangeRow)[]

const from: CliCommand['arguments'] = [['[recording]', 'a file of `record` instead of a running mock']]

export const requestsCommand = defineCommand({
  summary: 'show the requests that a running mock received, and what changed among them',
  arguments: from,
  flags: flagTables.requests,
  examples: ['requests --follow', 'requests --operation createPet --status 400 --format json', 'requests run.jsonl --format har'],
  run: (flags, [file]: readonly string[]) => showFrom(file, flags),
})

export const timelineCommand = defineCommand({
  summary: 'show the requests and the changes of a running mock',
  arguments: from,
  flags: flagTables.requests,
  examples: ['timeline', 'timeline --follow', 'timeline --format json'],
  run: (flags, [file]: readonly string[]) => showFrom(file, flags, true),
})

async function showFrom(file: string | undefined, flags: RequestsFlags, hasChanges?: true): Promise<void> {
  if (flags.follow && (file !== undefined || flags.format === 'har'))
    throw new UsageError(`--follow: not with ${file === undefined ? '--format har' : 'a recording'}`)
  if (file === undefined) return withState(flags, (mock, hasSandboxes) => show(mock, hasSandboxes, flags, hasChanges), { isKeyless: true })
  const { rows } = await (await import('../../scenario/files.ts')).readRecordingFile(file)
  return show(
    rows.map(({ row }) => row),
    () => false,
    flags,
    hasChanges,
  )
}

async function show(from: ControlClient | Rows, hasSandboxes: () => boolean, flags: RequestsFlags, hasChanges?: true): Promise<void> {
  const { follow, format, verbose, all, operation, status, method, limit } = flags
  const json = format === 'json'
  const changes = hasChanges ?? format === 'text'
  // Without the filters that were not given; the last n are the request log's alone.
  const given = Object.entries({ operation, status, method }).filter(([, value]) => value !== undefined)
  const filter: LogFilter = Object.fromEntries(given)
  const isWanted = (entry: LogEntry) => given.every(([name, value]) => entry[name as keyof typeof entry] === value)
  const showsChanges = changes && given.length === 0
  const toRow = (event: MockEvent) => {
    if (event.type === 'request') return isWanted(event.entry) ? event.entry : undefined
    return event.type === 'change' && showsChanges ? event.row : undefined
  }
  const colour = hasColour(process.stdout, process.env)
  const toText = (row: LogEntry | ChangeRow) => {
    if (json) return `${escapeUnsafe(toJson(changes && !isChange(row) ? { type: 'request', ...row } : row))}\n`
    return `${toLine(row, { colour, showsSandbox: all })}\n${verbose && !isChange(row) ? renderBodies(row) : ''}`
  }
  // The stream is opened first: what happens while the request log is read would be lost otherwise.
  const events = follow && 'events' in from ? await from.events() : undefined
  const wanted = limit === undefined ? filter : { ...filter, limit }
  const list = ({ timeline, requests }: ControlClient) => (changes ? timeline : requests)(all ? { ...wanted, sandbox: '*' } : wanted)
  const find = (rows: Rows) =>
    rows
      .filter((row) => (isChange(row) ? showsChanges : isWanted(row)))
      .toReversed()
      .slice(0, limit)
      .reverse()
  const rows: Rows = 'events' in from ? await list(from) : find(from)
  if (!all && flags.sandbox === undefined && hasSandboxes()) {
    notify('Sandboxes are on: earlier requests with a valid key are not listed here; name one with --sandbox <key>, or use --all')
  }
  if (rows.length === 0) notify(`No requests${Object.keys(wanted).length === 0 ? '' : ' match'}`)
  if (format === 'har') return print(await toDocumentText(toHar(rows, { version, origin: new URL(flags.url).origin }), 'json'))
  await print(json && !follow ? await toDocumentText(rows, 'json') : rows.map(toText).join(''))
  if (!events) return
  // What happened between the two calls comes twice. A Worker numbers the requests of each sandbox separately.
  const toName = ({ sandbox, id }: LogEntry | ChangeRow) => `${id} ${sandbox}`
  const shown = new Set(rows.map(toName))
  for await (const event of events) {
    const row = toRow(event)
    if (row && !shown.has(toName(row))) await print(toText(row))
  }
  notify('The mock has stopped')
}

function renderBodies({ request, response }: LogEntry): string {
  const lines = (mark: string, body: string) => (body === '' ? [] : body.split('\n').map((line) => `  ${mark} ${escapeUnsafe(line)}\n`))
  return [...lines('>', request.body), ...lines('<', response.body)].join('')
}
