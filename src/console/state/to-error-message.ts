// Why a request was refused, in the words of the response itself.
import { parseJson } from '../../contract/int64-json.ts'
import type { JournalEntry } from '../../world/journal.ts'

/** The message of an Error body; undefined for any other response. */
export function toErrorMessage({ status, answer }: JournalEntry): string | undefined {
  if (status < 400) return undefined
  try {
    const { message } = parseJson(answer.body) as { message?: unknown }
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}
