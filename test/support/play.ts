// Plays the requests of a transcript to a mock, service and control API alike, and writes the whole conversation down as text: what was
// sent (>), what came back (<), what the journal says of it (~), and what listeners hear of (!).
import { toJson } from '../../src/contract/int64-json.ts'
import { type ControlApi, createControlApi, isControlTarget } from '../../src/control/control-api.ts'
import { version } from '../../src/generated/version.ts'
import { createMock, type Mock, type MockOptions } from '../../src/mock/mock.ts'
import { scenarios } from '../../src/scenarios.ts'

type Fields = Readonly<Record<string, string>>

const PETS = [
  { id: 1, name: 'Rex', categoryId: 3, status: 'available' },
  { id: 2, name: 'Mia "the cat" 🐈', categoryId: 9007199254740993n, status: 'sold' },
  { id: 5, name: 'Pip', categoryId: 3, status: 'pending' },
  { id: 7, name: 'Bo', categoryId: -1 },
  { id: 9223372036854775800n, name: 'rex', categoryId: 3, status: 'sold' },
] as const

/** Fields that nearly every response has: shown where they differ, or are not there. */
const USUAL_FIELDS: Fields = {
  Date: 'Sun, 15 Nov 2026 08:00:00 GMT',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Type': 'application/json',
}
const USUAL_OF_SERVICE: Fields = { ...USUAL_FIELDS, Vary: 'Origin' }
const USUAL_OF_CONTROL: Fields = {
  ...USUAL_FIELDS,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Mock': `animal-store-mock/${version}`,
}

/**
 * The transcript with its responses as they are now. It begins with the options of the mock, as JSON after a `#`. A request is its first
 * line, then perhaps lines with fields, then perhaps an empty line and a body. The service is asked with a key, and writes are JSON, unless
 * the request has an `Authorization` or a `Content-Type` of its own; the value `none` leaves the field away.
 */
export async function replay(transcript: string): Promise<string> {
  const [first = '', ...lines] = transcript.split('\n')
  const options = JSON.parse(first.replace(/^# */, '')) as MockOptions
  const requests = lines.reduce<string[][]>((all, line, index) => {
    if (!line.startsWith('>')) return all
    if (lines[index - 1]?.startsWith('>')) all.at(-1)?.push(fromVisible(line.slice(2)))
    else all.push([fromVisible(line.slice(2))])
    return all
  }, [])
  return `${first}\n\n${await play(
    options,
    requests.map((request) => request.join('\n')),
  )}`
}

async function play(options: MockOptions, requests: readonly string[]): Promise<string> {
  const mock = createMock({ pets: PETS, now: '2026-11-15T08:00:00Z', frozen: true, ...options })
  const api = createControlApi(mock.control, {
    isOn: true,
    isToken: undefined,
    scenarios: async () => scenarios,
    openapi: async () => ({ openapi: '3.1.0', servers: [] }),
    onBug(error) {
      throw error
    },
  })
  const events: string[] = []
  mock.control.subscribe((event) => {
    if (event.type === 'change') events.push(`! ${toJson({ ...event, type: undefined })}`)
  })
  const exchanges: string[] = []
  for (const request of requests) {
    const told = await ask(mock, api, request)
    const sent = request.split('\n').map((line) => `> ${toVisible(line)}`.trimEnd())
    exchanges.push([...sent, ...told, ...events.splice(0)].join('\n'))
  }
  return `${exchanges.join('\n\n')}\n`
}

async function ask(mock: Mock, api: ControlApi, request: string): Promise<string[]> {
  const [head = '', ...rest] = request.split('\n\n')
  const [line = '', ...lines] = head.split('\n')
  const [method = '', target = ''] = line.split(' ')
  const fields: Record<string, string> = {}
  if (!isControlTarget(target)) fields.authorization = 'Bearer some-key-1234'
  if (method !== 'GET') fields['content-type'] = 'application/json'
  for (const text of lines) {
    const [name = '', value = ''] = text.split(/: (.*)/s)
    if (value === 'none') delete fields[name.toLowerCase()]
    else fields[name.toLowerCase()] = value
  }
  const body = rest.length === 0 ? undefined : new TextEncoder().encode(rest.join('\n\n'))
  const call = { method, target, header: (name: string) => fields[name], body }
  if (isControlTarget(target)) {
    const { stream, ...reply } = await api.answer(call)
    // The version changes with every release.
    return toLines({ ...reply, body: reply.body.replace(`"version":"${version}"`, '"version":"1.2.3"') }, USUAL_OF_CONTROL)
  }
  const { settle, ...reply } = mock.answer(call)
  // What the response says already, and what is not the same in every run.
  const {
    id,
    at,
    realAt,
    durationMs,
    response,
    method: _,
    target: __,
    ...told
  } = { ...mock.control.requests({ sandbox: '*', limit: 1 })[0] } as Fields
  return [...toLines(reply, USUAL_OF_SERVICE), `~ ${toVisible(JSON.stringify(told))}`]
}

function toLines({ status, headers, body, ...more }: { status: number; headers: Fields; body: string }, usual: Fields): string[] {
  const fields = Object.entries(headers)
    .filter(([name, value]) => value !== usual[name])
    .map(([name, value]) => `${name}: ${value}`)
  const missing = Object.keys(usual).filter((name) => headers[name] === undefined)
  const without = missing.length > 0 ? [`(without ${missing.join(', ')})`] : []
  const rest = Object.entries(more).flatMap(([name, value]) => (value === undefined || value === false ? [] : [`(${name} ${value})`]))
  return [`${status}`, ...fields, ...without, ...rest, ...(body === '' ? [] : ['', body])].map((text) => `< ${toVisible(text)}`.trimEnd())
}

/** What an editor would hide or change, and what is long and the same, by its number: `⟨20⟩` is a space at the end, `⟨78×99⟩` 99 times x. */
export function toVisible(text: string): string {
  return text
    .replace(/(.)\1{49,}/gsu, (run, letter: string) => `⟨${toNumber(letter)}×${run.length / letter.length}⟩`)
    .replace(/[\p{Cc}\ufeff\u2028\u2029]| $/gu, (letter) => `⟨${toNumber(letter)}⟩`)
}

export function fromVisible(text: string): string {
  return text.replace(/⟨([0-9a-f]+)(?:×(\d+))?⟩/g, (_, code: string, times = '1') =>
    String.fromCodePoint(Number.parseInt(code, 16)).repeat(Number(times)),
  )
}

function toNumber(letter: string): string {
  return (letter.codePointAt(0) as number).toString(16)
}
