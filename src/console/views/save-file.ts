// Saves files: a state, rows as a recording, or rows as a HAR.
import { toJsonText } from '../../contract/escape.ts'
import { version } from '../../contract/generated/version.ts'
import { toHar } from '../../control/text/to-har.ts'
import type { TimelineRow } from '../../world/row.ts'
import { attempt } from '../model/actions.ts'
import { control, mockUrl } from '../model/connection.ts'
import { scope } from '../model/mock.ts'
import { notify } from '../model/notice.ts'

type Range = { first: number; last: number }

const TO_OPEN = '. See it: npx animal-store-mock open recording.jsonl'

export function saveState(name: string) {
  return attempt(async () => {
    const state = await control().state()
    save(`${name}.json`, toJsonText({ ...state, name }))
  })
}

/** Without rows, all of the timeline. */
export function saveRecording(rows?: readonly TimelineRow[]) {
  return attempt(async () => {
    save('recording.jsonl', await readRecording(rows), TO_OPEN)
  })
}

export function readRecording(rows?: readonly TimelineRow[]): Promise<string> {
  const sandbox = scope() === '*' ? '*' : undefined
  return control().recording({ sandbox, rows: rows && printIds(rows) })
}

/** Ranges keep the address of the call short. */
function printIds(rows: readonly TimelineRow[]): string {
  const ids = rows.map((row) => row.id).sort((one, other) => one - other)
  const ranges: Range[] = []
  for (const id of ids) {
    const range = ranges.at(-1)
    if (range && id === range.last + 1) range.last = id
    else ranges.push({ first: id, last: id })
  }
  return ranges.map(printRange).join(',')
}

function printRange({ first, last }: Range): string {
  return first === last ? String(first) : `${first}-${last}`
}

/** The rows are newest first, and those of a HAR oldest first. */
export function saveHar(rows: readonly TimelineRow[]): void {
  const har = toHar(rows.toReversed(), { version, mockUrl })
  save('requests.har', toJsonText(har))
}

function save(file: string, text: string, note = ''): void {
  const anchor = document.createElement('a')
  anchor.href = URL.createObjectURL(new Blob([text]))
  anchor.download = file
  anchor.click()
  notify(`Saved ${file}${note}`)
}
