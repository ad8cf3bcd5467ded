// The header fields in which two messages of the log differ.
import { isCut, type LoggedMessage } from '../world/row.ts'

/**
 * The header fields that differ. Neither the date nor, where a row may hide part of the body, its
 * length counts.
 */
export function findOtherFields(one: LoggedMessage, other: LoggedMessage): string[] {
  const isPart = one.body === '' || isCut(one.body)
  const showsLength = isPart && one.body === other.body
  const ignored = showsLength ? ['Date'] : ['Date', 'Content-Length']
  const names = Object.keys({ ...one.headers, ...other.headers })
  const compared = names.filter((name) => !ignored.includes(name))
  return compared.filter((name) => one.headers[name] !== other.headers[name])
}
