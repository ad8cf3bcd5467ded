// A call as a host makes it, for tests that ask `mock.answer`.
import type { Call } from '../../src/service/call.ts'

type Fields = Readonly<Record<string, string | undefined>>

/** Signed with the key, unless it is null. A body is text, or is sent as JSON. */
export function toCall(method: string, target: string, body?: string | object, key: string | null = 'any-key', more: Fields = {}): Call {
  const fields: Fields = {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...more,
  }
  return {
    method,
    target,
    header: (name) => fields[name],
    fields: Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name, value])),
    body: body === undefined ? undefined : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
  }
}
