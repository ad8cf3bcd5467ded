// Every kind of surprise in one table. Only the command line and the documentation need it; the engine knows the names.
import type { SurpriseKind } from './setting.ts'

interface KindRow {
  /** The place in the spec, the assumption or the RFC that allows it. */
  readonly legal: string
  /** What a client may not rely on. */
  readonly relied: string
}

export const kinds: Readonly<Record<SurpriseKind, KindRow>> = {
  'big-ids': { legal: 'Pet.id is an int64', relied: 'ids below 2^53, which a JavaScript number can hold' },
  'odd-names': { legal: 'NewPet.name is any string', relied: 'short, plain names' },
  'absent-status': { legal: 'NewPet.status is optional', relied: 'a status' },
  'equal-names': { legal: 'only Pet.id is unique', relied: 'different names' },
  order: { legal: 'assumption list-order', relied: 'the order of a list' },
  'short-page': { legal: 'limit is a maximum', relied: 'getting as many animals as requested' },
  'extra-field': { legal: 'additional properties are allowed', relied: 'documented fields only' },
  'json-spelling': { legal: 'RFC 8259', relied: 'the text of JSON: white space, escapes, order of keys' },
  'error-words': { legal: 'assumption error-codes', relied: 'the code or message of an error' },
  'media-type': { legal: 'RFC 9110 §8.3.1', relied: 'the exact text of Content-Type' },
  'header-case': { legal: 'RFC 9110 §5.1', relied: 'the case of header names' },
  chunks: { legal: 'RFC 9112 §7.1', relied: 'a Content-Length, or a body in one piece' },
  delay: { legal: 'no response time is promised', relied: 'quick responses' },
}
