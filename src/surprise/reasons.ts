// Why each kind of surprise is legal, and what it teaches: for the command line and the documentation.
import type { SurpriseKind } from './setting.ts'

/** `legal` is the place in the spec, the assumption or the RFC that allows it; a client may not rely on `relied`. */
export const reasons: Readonly<Record<SurpriseKind, Readonly<Record<'legal' | 'relied', string>>>> = {
  'big-ids': { legal: 'Pet.id is an int64', relied: 'ids below 2^53, which a JavaScript number can hold' },
  'absent-status': { legal: 'NewPet.status is optional', relied: 'a status' },
  'equal-names': { legal: 'only Pet.id is unique', relied: 'different names' },
  'odd-names': { legal: 'NewPet.name is any string', relied: 'short, plain names' },
  'short-page': { legal: 'limit is a maximum', relied: 'getting as many animals as requested' },
  order: { legal: 'assumption list-order', relied: 'the order of a list' },
  'extra-field': { legal: 'additional properties are allowed', relied: 'documented fields only' },
  'error-words': { legal: 'assumption error-codes', relied: 'the code or message of an error' },
  'json-spelling': { legal: 'RFC 8259', relied: 'the text of JSON: white space, escapes, order of keys' },
  'media-type': { legal: 'RFC 9110 §8.3.1', relied: 'the exact text of Content-Type' },
  delay: { legal: 'no response time is promised', relied: 'quick responses' },
}
