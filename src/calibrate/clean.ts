// The allow-list: of a request and its response only what the contract knows goes on to the judge.
// Anything else becomes a placeholder of its class, or is dropped and counted.
import { B64TOKEN } from '../contract/address.ts'
import { toErrorText } from '../contract/error-text.ts'
import { assumptions, contract, type OperationContract } from '../contract/generated/contract.ts'
import { JSON_TYPE, type Json, toJson, tryJson } from '../contract/int64-json.ts'
import type { Schema } from '../contract/schema.ts'
import { isObject, readOwn } from '../contract/values.ts'
import { cleanTarget } from './clean-target.ts'
import { type Cleaning, cleanValue, HIDDEN } from './clean-value.ts'
import type { Answer, Exchange, Key, RawExchange } from './exchange.ts'
import { createNames } from './invent-names.ts'

const KNOWN_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const KNOWN_TYPES = [JSON_TYPE, 'application/problem+json', 'text/html', 'text/plain']
const KNOWN_FIELDS = [
  'authorization',
  'content-type',
  'www-authenticate',
  'allow',
  'sunset',
  'retry-after',
]
const COOKIES = ['cookie', 'set-cookie']
const { schemas } = contract
const knownCodes: ReadonlySet<string> = /* @__PURE__ */ listCodes()
const knownSunsets: readonly string[] = /* @__PURE__ */ listSunsets()

type Operation = OperationContract | undefined

/** Remembers keys and names, so that the same one gets the same placeholder. */
export function createCleaner({ keepNames = false }: { readonly keepNames?: boolean | undefined }) {
  const keys = new Map<string, number>()
  const names = createNames()
  /** What was left out, by kind. */
  const dropped = { cookies: 0, headers: 0, parameters: 0, fields: 0, texts: 0 }
  const cleaning: Cleaning = {
    dropped,
    rename: (name) => (keepNames ? name : names.of(name)),
  }

  function clean(raw: RawExchange): Exchange {
    const { row, start, end, method } = raw
    countFields(raw.requestHeaders)
    countFields(raw.responseHeaders)
    const { target, operation } = cleanTarget(raw, dropped)
    const sent = tryJson(raw.requestBody)
    return {
      row,
      start,
      end,
      method: KNOWN_METHODS.includes(method) ? method : 'PATCH',
      target,
      key: readKey(raw.requestHeaders.get('authorization')),
      type: cleanType(raw.requestHeaders.get('content-type')),
      body: cleanBody(raw.requestBody, sent, operation),
      answer: cleanAnswer(raw, sent, operation),
    }
  }

  function countFields(headers: Headers): void {
    for (const name of headers.keys()) {
      if (COOKIES.includes(name)) dropped.cookies++
      else if (!KNOWN_FIELDS.includes(name)) dropped.headers++
    }
  }

  function readKey(field: string | null): Key {
    if (field === null) return 'none'
    const key = /^bearer +(.+)$/i.exec(field)?.[1] ?? ''
    if (!B64TOKEN.test(key)) return 'malformed'
    const ordinal = keys.get(key) ?? keys.size + 1
    keys.set(key, ordinal)
    return ordinal
  }

  function cleanBody(text = '', sent: Json | undefined, operation: Operation): string | undefined {
    if (text === '') return undefined
    if (sent === undefined) return '{'
    const schema = describeBody(operation)
    return toJson(cleanValue(schema, sent, { ...cleaning, marksUnknown: true }))
  }

  function cleanAnswer(raw: RawExchange, sent: Json | undefined, operation: Operation): Answer {
    const { status, responseHeaders: headers, responseBody } = raw
    const json = tryJson(responseBody)
    const isError = status >= 400
    const schema = isError ? schemas.Error : describeSuccess(operation)
    const own = isError ? { dropped } : cleaning
    const kept = json === undefined ? undefined : cleanValue(schema, json, own)
    return {
      status,
      type: cleanType(headers.get('content-type')),
      hasChallenge: headers.has('www-authenticate'),
      hasAllow: headers.has('allow'),
      sunset: cleanSunset(headers.get('sunset')),
      json: isError ? keepCode(kept, json) : kept,
      isUnseen: responseBody === undefined,
      keepsUnknown: repeatsUnknown(sent, json, describeBody(operation)),
      problem: raw.problem ?? findProblem(status, headers.get('retry-after')),
    }
  }

  return {
    clean,
    dropped,
    countNames: () => (keepNames ? 0 : names.size),
    describeKey: (ordinal: number) => describeShape([...keys.keys()][ordinal - 1] ?? ''),
  }
}

function describeBody(operation: Operation): Schema {
  return operation?.body?.schema ?? {}
}

function describeSuccess(operation: Operation): Schema {
  return operation?.operationId === 'listPets' ? schemas.Pets : schemas.Pet
}

function keepCode(kept: Json | undefined, json: Json | undefined): Json | undefined {
  const code = readOwn(json, 'code')
  if (!isObject(kept) || typeof code !== 'string') return kept
  return { ...kept, code: knownCodes.has(code) ? code : HIDDEN }
}

function cleanType(field: string | null): string | undefined {
  const type = field?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === undefined || type === '') return undefined
  return KNOWN_TYPES.includes(type) ? type : 'another media type'
}

function cleanSunset(field: string | null): string | undefined {
  if (field === null) return undefined
  return knownSunsets.includes(field) ? field : 'another date'
}

function repeatsUnknown(
  sent: Json | undefined,
  json: Json | undefined,
  { properties = {} }: Schema,
) {
  if (!isObject(sent)) return false
  const unknown = Object.keys(sent).filter((name) => !Object.hasOwn(properties, name))
  return unknown.some((name) => name !== 'id' && readOwn(json, name) !== undefined)
}

function findProblem(status: number, retryAfter: string | null): string | undefined {
  if (status >= 300 && status < 400) return `${status}, a redirect, which is not followed`
  if (status >= 200 && status < 500 && status !== 429) return undefined
  const isNumber = retryAfter !== null && /^\d{1,9}$/.test(retryAfter)
  return isNumber ? `${status}, Retry-After: ${retryAfter}` : String(status)
}

/** `24 characters: letters, digits, -`. */
function describeShape(key: string): string {
  const kinds: string[] = []
  if (/[A-Za-z]/.test(key)) kinds.push('letters')
  if (/\d/.test(key)) kinds.push('digits')
  for (const sign of '._~+/-=') if (key.includes(sign)) kinds.push(sign)
  return `${key.length} characters: ${kinds.join(', ')}`
}

function listCodes(): ReadonlySet<string> {
  const codes = new Set<string>()
  const spellings = assumptions.find((one) => one.id === 'error-codes')?.choices ?? []
  for (let status = 400; status < 600; status++) {
    for (const spelling of spellings) codes.add(JSON.parse(toErrorText(status, '', spelling)).code)
  }
  return codes
}

function listSunsets(): string[] {
  const operations: readonly OperationContract[] = Object.values(contract.operations)
  return operations.flatMap(({ sunset }) => (sunset ? new Date(sunset).toUTCString() : []))
}
