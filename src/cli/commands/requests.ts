// `requests`: the journal of a running mock, and with --follow whatever comes in from then on.
import type { ControlClient } from '../../client/control-client.ts'
import { toJson } from '../../contract/int64-json.ts'
import type { JournalEntry, JournalFilter } from '../../world/journal.ts'
import { defineCommand } from '../command.ts'
import { escapeUnsafe } from '../escape.ts'
import { type RequestsFlags, requestsFlags } from '../flags.ts'
import { hasColour, toPrettyLine } from '../log-line.ts'
import { print } from '../print-document.ts'
import { note } from '../say.ts'
import { noteSandboxes, withMock } from '../with-mock.ts'

export const requestsCommand = defineCommand({
  summary: 'show the requests that a running mock received',
  flags: requestsFlags,
  examples: ['requests --follow', 'requests --operation createPet --status 400 --json'],
  run: (flags) => withMock(flags, (mock) => show(mock, flags)),
})

/** What is shown of a mock with sandboxes if none is named. */
const LISTED = 'only requests without a valid key are listed here'
const FOLLOWED = 'of earlier requests only those without a valid key are listed here'

async function show(mock: ControlClient, flags: RequestsFlags): Promise<void> {
  const { follow, json, operation, status, method, limit } = flags
  // Without the filters that were not given; the last n are the journal's alone.
  const filter: JournalFilter = Object.fromEntries(Object.entries({ operation, status, method }).filter(([, value]) => value !== undefined))
  const colour = hasColour(process.stdout, process.env)
  const toLine = (entry: JournalEntry) => `${json ? escapeUnsafe(toJson(entry)) : toPrettyLine(entry, colour)}\n`
  // The stream is opened first: what happens while the journal is read would be lost otherwise.
  const events = follow ? await mock.events() : undefined
  const entries = await mock.requests(limit === undefined ? filter : { ...filter, limit })
  noteSandboxes(flags, await mock.health(), follow ? FOLLOWED : LISTED)
  await print(entries.map(toLine).join(''))
  if (!events) return
  // What happened between the two calls comes twice.
  const shown = new Set(entries.map(({ id }) => id))
  for await (const event of events) {
    if (event.type === 'exchange' && isWanted(event.entry, filter) && !shown.has(event.entry.id)) await print(toLine(event.entry))
  }
  note('The mock has stopped')
}

function isWanted(entry: JournalEntry, { operation, status, method }: JournalFilter): boolean {
  return (
    (operation === undefined || entry.operation === operation) &&
    (status === undefined || entry.status === status) &&
    (method === undefined || entry.method === method)
  )
}
