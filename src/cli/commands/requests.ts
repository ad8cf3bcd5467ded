import { notFound, UsageError } from '../../contract/errors.ts'
import { escapeUnsafe, toJsonText } from '../../contract/escape.ts'
import { version } from '../../contract/generated/version.ts'
import { toJson } from '../../contract/int64-json.ts'
import { MAX_LOG_ROWS } from '../../contract/limits.ts'
import { withoutUndefined } from '../../contract/values.ts'
import type { ControlClient } from '../../control/client/client.ts'
import type { RequestFilter } from '../../control/control.ts'
import { printStatus } from '../../control/differences.ts'
import { rowOf } from '../../control/events.ts'
import { describeRequestFilter } from '../../control/method-inputs.ts'
import { nameOf } from '../../control/text/find-sent.ts'
import { groupRepeats } from '../../control/text/repeats.ts'
import { hasColour, renderLine, renderLines } from '../../control/text/row-line.ts'
import { type FlagValues, parseBy } from '../../scenario/settings/flag.ts'
import { isChange, isRequest, type TimelineRow as Row } from '../../world/row.ts'
import { createRowFilter } from '../../world/row-filter.ts'
import { restoreRow } from '../../world/saved-row.ts'
import { showRow } from '../../world/show-row.ts'
import { type CliCommand, defineCommand, oneOf, remoteFlags } from '../lib/flags.ts'
import { notify, print } from '../lib/output.ts'
import { toHar } from '../lib/to-har.ts'
import { withState } from '../lib/with-mock.ts'

const schemas = describeRequestFilter()
const parseOperation = parseBy<string>(schemas.operation)
const parseLimit = parseBy(schemas.limit)
const JSON_FORMAT = 'json (complete rows; with --follow one line each)'
const FORMAT_HELP = `text, ${JSON_FORMAT} or har (an HTTP archive, for a browser's developer tools)`

const flags = {
  follow: { syntax: '-f, --follow', help: 'print the list so far, then new rows as they come' },
  operation: {
    syntax: '--operation <name>',
    help: 'only this operation, e.g. createPet',
    parse: parseOperation,
  },
  status: {
    syntax: '--status <n>',
    help: `only this status; 0 for ${printStatus(0)}`,
    parse: parseBy(schemas.status),
  },
  method: { syntax: '--method <method>', help: 'only this method' },
  limit: {
    syntax: '--limit <n>',
    help: `only the last n (with --all: ${MAX_LOG_ROWS} by default)`,
    parse: parseLimit,
  },
  all: { syntax: '--all', help: 'all sandboxes in one list', conflicts: ['sandbox'] },
  verbose: { syntax: '-v, --verbose', help: 'print the bodies too, for bug reports' },
  format: { syntax: '--format <format>', ...oneOf(['text', 'json', 'har']), help: FORMAT_HELP },
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
    'requests --operation createPet --status 400 --format json',
    'requests run.jsonl --format har',
  ],
  run: (given, [file]) => showRows(given, file, false),
})

export const timelineCommand: CliCommand<RowFlags> = {
  ...requestsCommand,
  summary: 'show the requests and the changes of a running mock',
  examples: ['timeline', 'timeline --follow', 'timeline --format json'],
  run: (given, [file]) => showRows(given, file, true),
}

async function showRows(
  given: RowFlags,
  file: string | undefined,
  hasChanges: boolean,
): Promise<void> {
  const { follow, format, all, sandbox, operation, status, method, limit } = given
  const misfit = file === undefined ? format === 'har' && '--format har' : 'a recording'
  if (follow && misfit) throw new UsageError(`--follow: not with ${misfit}`)
  const filter = withoutUndefined({ operation, status, method, limit }) as RequestFilter
  const passes = createRowFilter(filter)
  const isWanted = (row: Row) => passes(row) && (hasChanges || isRequest(row))
  const printAll = (rows: readonly Row[]) => {
    if (rows.length === 0) notify(`No requests${Object.keys(filter).length === 0 ? '' : ' match'}`)
    return print(printRows(rows, given))
  }
  if (file !== undefined) {
    const { rows: saved } = await (
      await import('../../hosts/node/scenario-files.ts')
    ).readRecordingFile(file)
    const rows = saved.map(({ row }) => showRow(restoreRow(row), row.sandbox))
    const keys = [...new Set(rows.flatMap((row) => row.sandbox ?? []))]
    if (sandbox !== undefined && !keys.includes(sandbox)) throw notFound('Sandbox', sandbox, keys)
    const found = rows.filter(
      (row) => isWanted(row) && (sandbox === undefined || row.sandbox === sandbox),
    )
    return printAll(found.slice(Math.max(0, found.length - (limit ?? found.length))))
  }
  const ask = async (mock: ControlClient) => {
    // Before the rows are read, so that nothing is missed; what happens in between comes twice.
    const events = follow ? await mock.events(all) : undefined
    const rows = await (hasChanges ? mock.timeline : mock.requests)(
      all ? { ...filter, sandbox: '*' } : filter,
    )
    await printAll(rows)
    if (!events) return
    const shown = new Set(rows.map(nameOf))
    for await (const event of events) {
      const row = rowOf(event)
      if (row && isWanted(row) && !shown.has(nameOf(row))) await print(printRows([row], given))
    }
    notify('The mock has stopped')
  }
  return withState(given, ask, { isQuiet: all })
}

function printRows(rows: readonly Row[], { format, follow, verbose, all, url }: RowFlags): string {
  if (format === 'har') return toJsonText(toHar(rows, { version, mockUrl: url }))
  if (format === 'json')
    return follow ? rows.map((row) => `${escapeUnsafe(toJson(row))}\n`).join('') : toJsonText(rows)
  const options = { colour: hasColour(process.stdout, process.env), showsSandbox: all }
  const showWhole = (row: Row) => [renderLine(row, options), ...listBodies(row)]
  const lines = verbose ? rows.flatMap(showWhole) : renderLines(groupRepeats(rows), options)
  return lines.map((line) => `${line}\n`).join('')
}

function listBodies(row: Row): string[] {
  if (isChange(row)) return []
  const bodies = Object.entries({ '>': row.request.body, '<': row.response.body }).filter(
    ([, body]) => body !== '',
  )
  return bodies.flatMap(([mark, body]) =>
    body.split('\n').map((line) => `  ${mark} ${escapeUnsafe(line)}`),
  )
}
