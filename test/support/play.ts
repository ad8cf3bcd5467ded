// Plays the requests of a transcript to a mock, service and control API alike, and writes the
// conversation down, a line each: the request (>), its response (<), what the request log adds (~),
// and the changes that listeners hear of (!). What is usual is left out: the fields named here, a
// Content-Length that is the body's, and in the log what the request and the response say already.
// Requests in a row with the same outcome share it.
import { isDeepStrictEqual } from 'node:util'
import { version } from '../../src/contract/generated/version.ts'
import { toJson } from '../../src/contract/int64-json.ts'
import type { Problem } from '../../src/contract/problem.ts'
import { type ControlApi, createControlApi } from '../../src/control/api/api.ts'
import { isControlTarget } from '../../src/control/protocol.ts'
import { readConsoleFile } from '../../src/hosts/front-door.ts'
import { createMock, type Mock, type MockOptions } from '../../src/mock/mock.ts'
import { brief } from './brief.ts'

type Fields = Readonly<Record<string, string>>
type Values = Readonly<Record<string, unknown>>

const KEY = 'Bearer some-key-1234'

const PETS = [
  { id: 1, name: 'Rex', categoryId: 3, status: 'available' },
  { id: 2, name: 'Mia "the cat" 🐈', categoryId: 9007199254740993n, status: 'sold' },
  { id: 5, name: 'Pip', categoryId: 3, status: 'pending' },
  { id: 7, name: 'Bo', categoryId: -1 },
  { id: 9223372036854775800n, name: 'rex', categoryId: 3, status: 'sold' },
] as const

/** Header fields that nearly every response has: shown where they differ, or are not there. */
const USUAL_FIELDS: Fields = {
  Date: 'Sun, 15 Nov 2026 08:00:00 GMT',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Type': 'application/json',
}
export const USUAL_OF_SERVICE: Fields = { ...USUAL_FIELDS, Vary: 'Origin' }
const USUAL_OF_CONTROL: Fields = {
  ...USUAL_FIELDS,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Mock': `animal-store-mock/${version}`,
}

/**
 * The transcript with its responses as they are now. It begins with the options of the mock, as
 * JSON after a `#`. A request is one line:
 * `> POST /v1/pets [Prefer: code=503] {"name":"Rex"}`. The service is asked with a key, and writes
 * are JSON, unless the request has an `Authorization` or a `Content-Type`; the value `none` leaves
 * the field away. `⟨a⟩` is a new line, `⟨⟩` an empty body or value.
 */
export async function replay(transcript: string): Promise<string> {
  const [first = '', ...lines] = transcript.split('\n')
  const options = JSON.parse(first.replace(/^# */, '')) as MockOptions
  const requests = lines.filter((line) => line.startsWith('> '))
  return `${[first, ...(await play(options, requests))].join('\n')}\n`
}

async function play(options: MockOptions, requests: readonly string[]): Promise<string[]> {
  const mock = createMock({ pets: PETS, now: '2026-11-15T08:00:00Z', frozen: true, ...options })
  const api = createControlApi(mock.control, { isOn: true, token: undefined, readConsoleFile })
  const events: string[] = []
  mock.control.subscribe((event) => {
    if (event.type === 'change')
      events.push(
        `! ${toJson({ sandbox: event.sandbox, method: event.row.method, changed: event.row.changed })}`,
      )
  })
  const exchanges: Exchange[] = []
  for (const request of requests)
    exchanges.push({ request, outcome: [...(await ask(mock, api, request)), ...events.splice(0)] })
  return write(exchanges)
}

export interface Exchange {
  readonly request: string
  readonly outcome: readonly string[]
}

/** Requests in a row that have the same outcome share it. */
export function write(exchanges: readonly Exchange[]): string[] {
  return exchanges.flatMap(({ request, outcome }, index) => {
    const next = exchanges[index + 1]?.outcome
    return isDeepStrictEqual(outcome, next) ? [request] : [request, ...outcome]
  })
}

async function ask(mock: Mock, api: ControlApi, request: string): Promise<string[]> {
  const { method, target, fields, text } = parseRequest(request)
  const body = text === undefined ? undefined : new TextEncoder().encode(text)
  const call = { method, target, headers: fields, body }
  if (isControlTarget(target)) {
    const { stream, ...reply } = await api.answer(call)
    const isRefusal = reply.status >= 400 && reply.body !== ''
    return [
      describeResponse(
        reply,
        USUAL_OF_CONTROL,
        method === 'HEAD',
        isRefusal ? JSON.parse(reply.body).problems : undefined,
      ),
    ]
  }
  const { settle, ...reply } = mock.answer(call)
  // Not the same in every run, or said by the response.
  const { type, id, at, realAt, durationMs, response, problems, ...row } = {
    ...mock.control.requests({ sandbox: '*', limit: 1 })[0],
  } as Values
  const authorization = fields.authorization === KEY ? { authorization: 'Bearer …1234' } : {}
  const usual = {
    method,
    target,
    sandbox: null,
    status: reply.status,
    assumptions: [],
    faults: [],
    surprises: [],
    error: reply.status >= 400 ? (parseBody(reply.body).message ?? null) : null,
    notes: [],
    outcome: 'sent',
    key: '…1234',
    request: { headers: { ...fields, ...authorization }, body: text ?? '' },
  }
  const shown = describeResponse(
    reply,
    USUAL_OF_SERVICE,
    method === 'HEAD',
    problems as readonly Problem[],
  )
  return [shown, `~ ${toVisible(JSON.stringify(pickUnusual(row, usual)))}`]
}

/** Parses `> POST /v1/pets [Name: value] body`. Brackets inside a value are balanced. */
function parseRequest(line: string): {
  method: string
  target: string
  fields: Fields
  text: string | undefined
} {
  const [, method = '', target = '', given = '', text] =
    /^> (\S+) (\S+)((?: \[[\w-]+: (?:[^[\]]|\[[^\]]*\])*\])*)(?: (.*))?$/s.exec(line) ?? []
  const fields: Record<string, string> = {}
  if (!isControlTarget(target)) fields.authorization = KEY
  if (method !== 'GET') fields['content-type'] = 'application/json'
  for (const [, name = '', value = ''] of given.matchAll(
    /\[([\w-]+): ((?:[^[\]]|\[[^\]]*\])*)\]/g,
  )) {
    if (value === 'none') delete fields[name.toLowerCase()]
    else fields[name.toLowerCase()] = fromVisible(value)
  }
  return {
    method,
    target: fromVisible(target),
    fields,
    text: text === undefined ? undefined : fromVisible(text),
  }
}

/**
 * A response in one line: `< 404 [Sunset: …] {"code":…}`. Only a HEAD has a length without a body.
 */
export function describeResponse(
  { status, headers, body, ...more }: ReplyLike,
  usual: Fields,
  isHead = false,
  problems: readonly Problem[] = [],
): string {
  const length = isHead ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const { without, ...fields } = pickUnusual(headers, { ...usual, ...length })
  const parts = [
    ...Object.entries(fields).map(([name, value]) => `[${name}: ${value}]`),
    ...(without ? [`[without ${without}]`] : []),
    ...Object.entries(more).flatMap(([name, value]) =>
      value === undefined || value === false ? [] : [`[${name} ${value}]`],
    ),
  ]
  if (body !== '') parts.push(maskContract(withoutWords(body, problems)))
  return `< ${toVisible([status, ...parts].join(' '))}`
}

/**
 * Without what changes with every release and every change of the contract or the control: the
 * version, the hash, the list of routes, and the cells of coverage that were not tried.
 */
function maskContract(body: string): string {
  return body
    .replace(`"version":"${version}"`, '"version":"1.2.3"')
    .replace(/ \([0-9a-f]{16}\)/, ' (…)')
    .replace(/available: \/__mock\/[^"]*/, 'available: …')
    .replace(/(?<="cells":)\{[^}]*\}/, listTried)
}

function listTried(cells: string): string {
  const tried = Object.entries(JSON.parse(cells)).filter(([, count]) => count !== 0)
  return JSON.stringify(Object.fromEntries(tried))
}

/**
 * The body with problems in place of the sentences about them: test/messages.golden.txt has the
 * sentences.
 */
function withoutWords(body: string, problems: readonly Problem[]): string {
  if (problems.length === 0 || problems.every(({ kind }) => kind === 'text')) return body
  const { code, status } = parseBody(body)
  return code === undefined ? body : JSON.stringify({ code, status, problems: problems.map(brief) })
}

/** Empty if a fault broke the JSON. */
function parseBody(body: string): Values {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

interface ReplyLike {
  readonly status: number | string
  readonly headers: Fields
  readonly body: string
}

/** The values that differ from the usual ones, and the names of those that are not there. */
function pickUnusual(actual: Values, usual: Values): Values {
  const without = Object.keys(usual).filter((name) => actual[name] === undefined)
  return {
    ...Object.fromEntries(
      Object.entries(actual).filter(([name, value]) => !isDeepStrictEqual(value, usual[name])),
    ),
    ...(without.length > 0 ? { without: without.join(', ') } : {}),
  }
}

/**
 * What an editor would hide or change, and what is long and the same, by its number: `⟨20⟩` is a
 * space at the end, `⟨78×99⟩` 99 times x.
 */
export function toVisible(text: string): string {
  return text
    .replace(
      /(.)\1{49,}/gsu,
      (run, letter: string) => `⟨${toNumber(letter)}×${run.length / letter.length}⟩`,
    )
    .replace(/[\p{Cc}\ufeff\u2028\u2029]| $/gu, (letter) => `⟨${toNumber(letter)}⟩`)
}

export function fromVisible(text: string): string {
  return text
    .replaceAll('⏎', '\n')
    .replaceAll('⟨⟩', '')
    .replace(/⟨([0-9a-f]+)(?:×(\d+))?⟩/g, (_, code: string, times = '1') =>
      String.fromCodePoint(Number.parseInt(code, 16)).repeat(Number(times)),
    )
}

function toNumber(letter: string): string {
  return (letter.codePointAt(0) as number).toString(16)
}
