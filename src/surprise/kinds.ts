// Every kind of surprise in one table.

interface KindRow {
  /** A state is changed when it is loaded, a response when it is sent; `wire` is how a server writes a response. */
  readonly of: 'state' | 'response' | 'wire'
  /** The place in the spec, the assumption or the RFC that allows it. */
  readonly legal: string
  /** What a client may not rely on. */
  readonly relied: string
}

export const kinds = {
  'big-ids': { of: 'state', legal: 'Pet.id is an int64', relied: 'ids below 2^53, which a JavaScript number can hold' },
  'odd-names': { of: 'state', legal: 'NewPet.name is any string', relied: 'short, plain names' },
  'absent-status': { of: 'state', legal: 'NewPet.status is optional', relied: 'a status' },
  'equal-names': { of: 'state', legal: 'only Pet.id is unique', relied: 'different names' },
  order: { of: 'response', legal: 'assumption list-order', relied: 'the order of a list' },
  'short-page': { of: 'response', legal: 'limit is a maximum', relied: 'as many animals as it asks for' },
  'extra-field': { of: 'response', legal: 'additional properties are allowed', relied: 'documented fields only' },
  'json-spelling': { of: 'response', legal: 'RFC 8259', relied: 'the text of JSON: white space, escapes, order of keys' },
  'error-words': { of: 'response', legal: 'assumption error-codes', relied: 'the code or message of an error' },
  'media-type': { of: 'response', legal: 'RFC 9110 §8.3.1', relied: 'the exact text of Content-Type' },
  'header-case': { of: 'wire', legal: 'RFC 9110 §5.1', relied: 'the case of header names' },
  chunks: { of: 'wire', legal: 'RFC 9112 §7.1', relied: 'a Content-Length, or a body in one piece' },
  delay: { of: 'response', legal: 'no response time is promised', relied: 'quick responses' },
} as const satisfies Record<string, KindRow>

/** The name of a kind of surprise. */
export type SurpriseKind = keyof typeof kinds

export const kindNames = Object.keys(kinds) as SurpriseKind[]

/** Sets of kinds by name. A tolerant client may still need every animal, and time. */
export const kindSets = { mild: kindNames.filter((kind) => kind !== 'short-page' && kind !== 'delay'), all: kindNames }
