// The requests that every server gets: each operation as one fixed request, and as fifty different
// ones with a browser's headers.

export interface BenchRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * A name for the table, the requests of a burst in turn, and the most processor time they may take,
 * × bare.
 */
export interface Case {
  readonly name: string
  readonly requests: readonly BenchRequest[]
  readonly target: number
  /** Whether the requests add animals, so that a server is reset before each burst. */
  readonly adds?: boolean
}

export const KEY = { Authorization: 'Bearer bench-key' }

const browser = {
  Accept: 'application/json, text/plain, */*',
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  'Accept-Language': 'en-GB,en;q=0.9',
  Origin: 'http://localhost:5173',
  Referer: 'http://localhost:5173/',
  'Sec-Fetch-Dest': 'empty',
  'Sec-Fetch-Mode': 'cors',
  'Sec-Fetch-Site': 'same-site',
  'User-Agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'sec-ch-ua': '"Chromium";v="142", "Not_A Brand";v="99"',
  ...KEY,
}

const STATUSES = ['available', 'pending', 'sold']

const get = (target: string, headers = KEY): BenchRequest => ({ method: 'GET', target, headers })
const post = (target: string, headers: BenchRequest['headers'], pet: object): BenchRequest => ({
  method: 'POST',
  target,
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: JSON.stringify(pet),
})
const fifty = (toRequest: (index: number) => BenchRequest) =>
  Array.from({ length: 50 }, (_, index) => toRequest(index))

export const LIST = get('/v1/pets?limit=20')

const lists = fifty((index) =>
  get(
    `/v1/pets?limit=${5 + (index % 36)}${index % 3 === 0 ? `&status=${STATUSES[(index / 3) % 3]}` : ''}`,
    browser,
  ),
)
const creates = fifty((index) => {
  const pet = { name: `Rex the ${'Old '.repeat(index % 4)}Beagle ${index}`, categoryId: index * 7 }
  return post(
    `/v1/pets?visit=${index}`,
    browser,
    index % 2 === 0 ? { ...pet, status: STATUSES[index % 3] } : pet,
  )
})

export const cases: readonly Case[] = [
  { name: 'list, fixed', requests: [LIST], target: 1.1 },
  { name: 'list, varied', requests: lists, target: 1.2 },
  { name: 'one, fixed', requests: [get('/v1/pets/7')], target: 1.1 },
  {
    name: 'one, varied',
    requests: fifty((index) => get(`/v1/pets/${1 + (index % 18)}`, browser)),
    target: 1.2,
  },
  {
    name: 'create, fixed',
    requests: [
      post('/v1/pets', KEY, { name: 'Rex the Beagle', categoryId: 1, status: 'available' }),
    ],
    target: 1.25,
    adds: true,
  },
  { name: 'create, varied', requests: creates, target: 1.35, adds: true },
]

export const varied = cases.filter(({ name }) => name.endsWith('varied'))

/** The request as bytes on the wire. */
export function toWire({ method, target, headers, body }: BenchRequest, port: number): Buffer {
  const fields = Object.entries({
    Host: `127.0.0.1:${port}`,
    Connection: 'keep-alive',
    ...headers,
    ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
  })
  return Buffer.from(
    `${method} ${target} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`,
  )
}

export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Sends one request. */
export async function ask(port: number, { target, ...request }: BenchRequest): Promise<Received> {
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    ...request,
    signal: AbortSignal.timeout(5_000),
  })
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  }
}
