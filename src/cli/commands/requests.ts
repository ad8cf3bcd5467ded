// `requests` and `timeline`: the rows of a running mock, or of a recording.
import { notFound, UsageError } from '../../contract/errors.ts'
import { escapeUnsafe, toJsonText } from '../../contract/escape.ts'
import { version } from '../../contract/generated/version.ts'
import { toJson } from '../../contract/int64-json.ts'
import { MAX_LOG_ROWS } from '../../contract/limits.ts'
import { withoutUndefined } from '../../contract/values.ts'
import type { ControlClient } from '../../control/client/client.ts'
import type { RequestFilter } from '../../control/control.ts'
import { rowOf } from '../../control/events.ts'
import { describeRequestFilter } from '../../control/method-inputs.ts'
import { printStatus } from '../../control/print-status.ts'
import { hasColour } from '../../control/rows/has-colour.ts'
import { nameRow } from '../../control/rows/name-row.ts'
import { groupRepeats } from '../../control/rows/repeats.ts'
import { renderRowLine, renderRowLines } from '../../control/rows/row-line.ts'
import { findSandbox } from '../../control/rows/row-owners.ts'
import { toHar } from '../../control/text/to-har.ts'
import { type FlagValues, parseBy, parseNumberBy } from '../../scenario/settings/flag.ts'
import { isChange, isRequest, type TimelineRow as Row } from '../../world/row.ts'
import { createRowFilter } from '../../world/row-filter.ts'
import { restoreRow } from '../../world/saved-row.ts'
import { showRow } from '../../world/show-row.ts'
import { type CliCommand, defineCommand } from '../lib/command.ts'
import { json, remoteFlags } from '../lib/flags.ts'
import { joinLines, notify, print } from '../lib/output.ts'
import { withState } from '../lib/with-mock.ts'

const schemas = describeRequestFilter()

const flags = {
  follow: {
    syntax: '-f, --follow',
    help: 'print the list so far, then new rows as they come',
  },
  operation: {
    syntax: '--operation <name>',
    help: 'only this operation, e.g. createPet',
    parse: parseBy<string>(schemas.operation),
  },
  status: {
    syntax: '--status <status>',
    help: `only this status or class, e.g. 404 or 4xx; 0 for ${printStatus(0)}`,
    parse: parseBy<NonNullable<RequestFilter['status']>>(schemas.status),
  },
  method: {
    syntax: '--method <method>',
    help: 'only this method',
  },
  limit: {
    syntax: '--limit <n>',
    help: `only the last n (with --all: ${MAX_LOG_ROWS} by default)`,
    parse: parseNumberBy(schemas.limit),
  },
  all: {
    syntax: '--all',
    help: 'all sandboxes in one list',
    conflicts: ['sandbox'],
  },
  verbose: {
    syntax: '-v, --verbose',
    help: 'print the bodies too, for bug reports',
  },
  json: { ...json, help: 'print complete rows as JSON; with --follow one line each' },
  format: {
    syntax: '--format <format>',
    help: "har prints an HTTP archive, for a browser's developer tools",
    parse: parseBy<'har'>({ enum: ['har'] }),
    conflicts: ['json', 'follow'],
  },
  ...remoteFlags,
} as const

type RowFlags = FlagValues<typeof flags>

export const requestsCommand = defineCommand({
  summary: 'show the requests that a running mock received',
  arguments: [
    ['[recording]', 'a file of `record`, with all its requests, instead of a running mock'],
  ],
  flags,
  examples: [
    'requests --follow',
    'requests --operation createPet --status 4xx --json',
    'requests run.jsonl --format har',
  ],
  run: (values, [file]) => showRows({ values, hasChanges: false }, file),
})

export const timelineCommand: CliCommand<RowFlags> = {
  ...requestsCommand,
  summary: 'show the requests and the changes of a running mock',
  examples: ['timeline', 'timeline --follow', 'timeline --json'],
  run: (values, [file]) => showRows({ values, hasChanges: true }, file),
}

/** What is asked for. */
type Wanted = Readonly<{ values: RowFlags; hasChanges: boolean }>

async function showRows(wanted: Wanted, file: string | undefined): Promise<void> {
  const { values } = wanted
  if (values.follow && file !== undefined) throw new UsageError('--follow: not with a recording')
  if (file !== undefined) return printAll(await readRows(file, wanted), values)
  await withState(values, (mock) => showLive(mock, wanted), { isQuiet: values.all })
}

async function showLive(mock: ControlClient, wanted: Wanted): Promise<void> {
  const { values, hasChanges } = wanted
  const filter = readFilter(values)
  const query = values.all ? { ...filter, sandbox: '*' as const } : filter
  // Before the rows are read, so that nothing is missed; what happens in between comes twice.
  const events = values.follow ? await mock.events(values.all) : undefined
  const rows = hasChanges ? await mock.timeline(query) : await mock.requests(query)
  await printAll(rows, values)
  if (!events) return
  const isWanted = createCheck(wanted)
  const shown = new Set(rows.map(nameRow))
  for await (const event of events) {
    const row = rowOf(event)
    if (row && isWanted(row) && !shown.has(nameRow(row))) await print(renderRows([row], values))
  }
  notify('The mock has stopped')
}

/** The wanted rows of a recording. */
async function readRows(file: string, wanted: Wanted): Promise<readonly Row[]> {
  const { sandbox, limit } = wanted.values
  const { readRecordingFile } = await import('../../hosts/node/scenario-files.ts')
  const recording = await readRecordingFile(file)
  const rows = recording.rows.map(({ row }) => showRow(restoreRow(row), row.sandbox))
  if (sandbox !== undefined) checkSandbox(rows, sandbox)
  const isWanted = createCheck(wanted)
  const found = rows.filter((row) => sandbox === undefined || row.sandbox === sandbox)
  const matching = found.filter(isWanted)
  return limit === undefined ? matching : matching.slice(Math.max(0, matching.length - limit))
}

function checkSandbox(rows: readonly Row[], wanted: string): void {
  const keys = new Set<string>()
  for (const { sandbox } of rows) {
    if (sandbox !== null) keys.add(sandbox)
  }
  if (!keys.has(wanted)) throw notFound('Sandbox', wanted, [...keys])
}

function readFilter(values: RowFlags): RequestFilter {
  const { operation, status, method, limit } = values
  return withoutUndefined({ operation, status, method, limit }) as RequestFilter
}

function createCheck(wanted: Wanted): (row: Row) => boolean {
  const passes = createRowFilter(readFilter(wanted.values))
  return (row) => passes(row) && (wanted.hasChanges || isRequest(row))
}

async function printAll(rows: readonly Row[], values: RowFlags): Promise<void> {
  if (rows.length === 0) {
    const isFiltered = Object.keys(readFilter(values)).length > 0
    notify(isFiltered ? 'No requests match' : 'No requests')
  }
  await print(renderRows(rows, values))
}

function renderRows(rows: readonly Row[], values: RowFlags): string {
  const { format, json: isJson, follow, verbose, all, url } = values
  if (format === 'har') return toJsonText(toHar(rows, { version, mockUrl: url }))
  if (isJson && follow) return joinLines(rows.map((row) => escapeUnsafe(toJson(row))))
  if (isJson) return toJsonText(rows)
  const options = {
    colour: hasColour(process.stdout, process.env),
    findOwner: all ? findSandbox : undefined,
  }
  if (!verbose) return joinLines(renderRowLines(groupRepeats(rows), options))
  const lines = rows.flatMap((row) => [renderRowLine(row, options), ...listBodies(row)])
  return joinLines(lines)
}

function listBodies(row: Row): string[] {
  if (isChange(row)) return []
  return [...indentBody('>', row.request.body), ...indentBody('<', row.response.body)]
}

function indentBody(mark: string, body: string): string[] {
  if (body === '') return []
  return body.split('\n').map((line) => `  ${mark} ${escapeUnsafe(line)}`)
}
