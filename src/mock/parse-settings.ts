// What settings say, from text to values: flags of the command line, variables, bindings of a worker. Nothing here reads them itself; a
// wrong text is a UsageError.

import { CONTROL_PATH } from '../contract/control-path.ts'
import { UsageError } from '../contract/errors.ts'
import { findViolations, list, type Schema, toSentence } from '../contract/schema.ts'
import { type AssumptionChoices, assumptions, contract } from '../generated/contract.ts'
import { MAX_DELAY_MS, MAX_PRINTED_PETS, MIN_TOKEN_CHARACTERS } from '../limits.ts'
import { apiKeySchema, faultSchema } from '../scenario/document.ts'
import { parseInstant } from '../world/clock.ts'
import type { Fault } from '../world/faults.ts'

const LAST_PORT = 65_535
/** A tebibyte: more than anybody's memory. */

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= LAST_PORT)) throw new UsageError(`expected a port from 0 (any free one) to ${LAST_PORT}`)
  return port
}

/** No name at all would mean every address of the machine. */
export function parseAddress(text: string): string {
  if (!/^[^\s/]+$/.test(text)) throw new UsageError('expected an address like 127.0.0.1 or ::1')
  return text
}

export function parseInteger(text: string): number {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(value)) throw new UsageError('expected a whole number')
  return value
}

export function parseCount(text: string): number {
  const count = parseInteger(text)
  if (count < 0) throw new UsageError('expected a whole number of at least 0')
  return count
}

export function parsePercent(text: string): number {
  const percent = /^\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (!(percent <= 100)) throw new UsageError('expected a percentage from 0 to 100')
  return percent
}

/** As many animals as a scenario document has room for. */
export function parsePrintedCount(text: string): number {
  const count = parseCount(text)
  if (count > MAX_PRINTED_PETS) {
    throw new UsageError(`expected at most ${MAX_PRINTED_PETS}; \`generate: { count: ${count} }\` in a scenario makes more`)
  }
  return count
}

export function parseNow(text: string): string {
  parseInstant(text)
  return text
}

export function parseApiKey(text: string): string {
  check(apiKeySchema, text)
  return text
}

/** `200`, or `200-800` for a time between the two; in milliseconds. */
export function parseDelay(text: string): number | readonly [number, number] {
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text)
  if (!match) throw new UsageError('expected milliseconds like 200, or a range like 200-800')
  const delay: Fault['delay'] = match[2] === undefined ? Number(match[1]) : [Number(match[1]), Number(match[2])]
  if ([delay].flat().some((time) => time > MAX_DELAY_MS)) throw new UsageError(`expected at most ${MAX_DELAY_MS} milliseconds`)
  if (typeof delay === 'object' && delay[0] > delay[1]) throw new UsageError('expected the shorter time first, as in 200-800')
  return delay
}

/** `createPet=503:2`: the operation, the status, and optionally how many times. */
export function parseFail(text: string): Fault {
  const match = /^([^=]+)=(\d{1,9})(?::(\d{1,9}))?$/.exec(text)
  if (!match) throw new UsageError('expected an operation and a status like createPet=503, and optionally how many times: createPet=503:2')
  const fault = { operation: match[1], status: Number(match[2]), ...(match[3] === undefined ? {} : { times: Number(match[3]) }) }
  check(faultSchema, fault)
  if (fault.times === 0) throw new UsageError('expected at least 1 time, as in createPet=503:1')
  return fault as Fault
}

/** `invalid-query=clamp`: an open question of the interface, and the choice for it. */
export function parseAssume(text: string): Partial<AssumptionChoices> {
  const [question = '', choice = '', ...rest] = text.split('=')
  if (choice === '' || rest.length > 0) throw new UsageError('expected a question and a choice like invalid-query=clamp')
  const assumption = assumptions.find(({ id }) => id === question)
  if (!assumption) {
    const ids = assumptions.map(({ id }) => id)
    throw new UsageError(`expected one of the questions ${list(ids, 'and')}`)
  }
  const choices: readonly string[] = assumption.choices.map(({ id }) => id)
  if (!choices.includes(choice))
    throw new UsageError(
      `expected ${list(
        choices.map((id) => `${question}=${id}`),
        'or',
      )}`,
    )
  return { [question]: choice }
}

export function parseOrigin(text: string): string {
  // A browser sends the origin and nothing more, in one spelling; anything else here would never match.
  if (text !== '*' && !(URL.canParse(text) && new URL(text).origin === text)) {
    throw new UsageError('expected an origin like https://app.example.com, or "*" for all')
  }
  return text
}

export function parseHostName(text: string): string {
  if (!/^[A-Za-z0-9._-]+$/.test(text)) throw new UsageError('expected a host name like mock.example.com, without scheme and port')
  return text
}

/** As the journal has it. */
export function parseMethod(text: string): string {
  return text.toUpperCase()
}

/** A token that fits into a header field. */
export function parseToken(text: string): string {
  if (!/^[A-Za-z0-9._~+/-]+=*$/.test(text)) throw new UsageError('expected letters, digits and - . _ ~ + / only (RFC 6750)')
  return text
}

/** A token for a mock to require: long enough not to be guessed. */
export function parseControlToken(text: string): string {
  parseToken(text)
  if (text.length < MIN_TOKEN_CHARACTERS) throw new UsageError(`expected at least ${MIN_TOKEN_CHARACTERS} characters`)
  return text
}

/** Where a running mock is; the address may come with or without the version segment. */
export function parseUrl(text: string): string {
  const { basePath } = contract
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new UsageError(`expected the address of a mock like http://127.0.0.1:7387${basePath}`)
  }
  const path = withoutSlashes(parsed.pathname)
  const tail = [basePath, CONTROL_PATH].find((one) => path.endsWith(one)) ?? ''
  return parsed.origin + path.slice(0, path.length - tail.length)
}

/** Not by an expression: `/+$` tries every slash of a long run anew. */
function withoutSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

const ON = ['1', 'true', 'yes', 'on']
const OFF = ['0', 'false', 'no', 'off']

/** A switch that has no value of its own on the command line, as a variable of the environment sets it. */
export function parseSwitch(text: string): boolean {
  const word = text.toLowerCase()
  if (!ON.includes(word) && !OFF.includes(word)) throw new UsageError(`expected 1 or 0, got ${JSON.stringify(text)}`)
  return ON.includes(word)
}

/** Several values in one text, as a variable of the environment holds them. */
export function splitList(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '')
}

function check(schema: Schema, value: unknown): void {
  const [first] = findViolations(schema, value)
  if (!first) return
  const problem = 'expected' in first ? `expected ${first.expected}` : 'problem' in first ? first.problem : undefined
  throw new UsageError(problem === undefined ? toSentence(first) : `${first.path === '' ? '' : `${first.path}: `}${problem}`)
}
