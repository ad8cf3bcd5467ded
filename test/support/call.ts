// A call as a host makes it, for tests that ask `mock.answer`.
import type { Call } from '../../src/service/call.ts'

type Fields = Readonly<Record<string, string>>

/** Signed with the key, unless it is null. A body is text, or is sent as JSON. */
export function toCall(
  method: string,
  target: string,
  body?: string | object,
  key: string | null = 'any-key',
  more: Fields = {},
): Call {
  const headers: Fields = {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...more,
  }
  return {
    method,
    target,
    headers,
    body:
      body === undefined
        ? undefined
        : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
  }
}
