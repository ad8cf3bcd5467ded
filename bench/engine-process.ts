// One process of engine.ts: the builds in the named folders take turns with the stub, and their
// times go to standard output.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Call, Mock, Reply } from '../src/index.ts'
import type { EngineTimes, Timed } from './engine.ts'
import { createStub } from './stub.ts'

const COUNT = 1_000
const WARM_UPS = 20
const PETS = 200
const STATUSES = ['available', 'pending', 'sold'] as const

interface Operation {
  readonly name: string
  readonly status: number
  toCall(index: number): Call
}

type Answer = (call: Call) => Reply

const fields = {
  host: '127.0.0.1:7387',
  connection: 'keep-alive',
  accept: '*/*',
  'accept-language': 'en',
  'sec-fetch-mode': 'cors',
  'user-agent': 'Mozilla/5.0 (X11; Linux x64)',
  'accept-encoding': 'gzip, deflate',
  referer: 'http://127.0.0.1:5173/',
  'cache-control': 'no-cache',
}
const encoder = new TextEncoder()
const bodies = Array.from({ length: 200 }, (_, index) =>
  encoder.encode(`{"name":"Rex ${index}","categoryId":${index},"status":"sold"}`),
)
const pets = Array.from({ length: PETS }, (_, index) => ({
  id: index + 1,
  name: `Pet ${index}`,
  categoryId: index % 7,
  status: STATUSES[index % 3] ?? 'sold',
}))

const get = (target: string): Call => ({
  method: 'GET',
  target,
  headers: { ...fields, authorization: 'Bearer any-key' },
  reportsOutcome: true,
})

function post(body: Uint8Array): Call {
  const headers = {
    ...fields,
    authorization: 'Bearer any-key',
    'content-type': 'application/json',
    'content-length': String(body.length),
  }
  return { method: 'POST', target: '/v1/pets', headers, body, reportsOutcome: true }
}

const list: Operation = {
  name: 'list',
  status: 200,
  toCall: (index) =>
    get(`/v1/pets?limit=${1 + (index % 20)}&status=${index % 2 === 0 ? 'sold' : 'available'}`),
}
const one: Operation = {
  name: 'one',
  status: 200,
  toCall: (index) => get(`/v1/pets/${1 + (index % PETS)}`),
}
const create: Operation = {
  name: 'create',
  status: 201,
  toCall: (index) => post(bodies[index % bodies.length] as Uint8Array),
}

const [rounds, ...folders] = process.argv.slice(2)
const times = await race(folders, Number(rounds))
process.stdout.write(JSON.stringify(times))

async function race(builds: readonly string[], measured: number): Promise<EngineTimes> {
  const sides = []
  for (const operation of [list, one, create]) {
    for (const folder of builds) sides.push(await createSide(folder, operation))
  }
  const stub: number[] = []
  const answer = createStub(pets)
  for (let round = -WARM_UPS; round < measured; round++) {
    const base = time(answer, list)
    if (round >= 0) stub.push(base)
    const inTurn = round % 2 === 0 ? sides : sides.toReversed()
    for (const side of inTurn) side.run(round >= 0)
  }
  return { stub, builds: sides.map(({ timed }) => timed) }
}

/** One mock of a build, which gets one operation only. */
async function createSide(folder: string, operation: Operation) {
  const module = await import(pathToFileURL(join(folder, 'dist/index.js')).href)
  const mock: Mock = module.createMock({ pets })
  const answer = takesHeaders(mock) ? mock.answer : adapt(mock.answer)
  const { status } = answer(operation.toCall(0))
  if (status !== operation.status)
    throw new Error(`${operation.name} got ${status} from the build in ${folder}`)
  const timed: Timed = { name: operation.name, folder, plain: [], withReading: [] }
  const read = () => {
    mock.control.requests()
    mock.control.coverage()
  }
  return {
    timed,
    run(isMeasured: boolean): void {
      const plain = time(answer, operation)
      const withReading = time(answer, operation, read)
      if (!isMeasured) return
      timed.plain.push(plain)
      timed.withReading.push(withReading)
    },
  }
}

/** Until 19 November 2026 a call had a function for its header fields, and their raw list. */
function takesHeaders({ answer }: Mock): boolean {
  try {
    return answer(one.toCall(0)).status === one.status
  } catch {
    return false
  }
}

/** As the Node host of that time made its calls. */
function adapt(answer: Answer): Answer {
  const raw = Object.entries(fields).flat()
  return (call) => {
    const { headers } = call
    const header = (name: string) => headers[name]
    return answer(Object.assign(call, { header, fields: [...raw] }))
  }
}

/** Microseconds of processor time per request. */
function time(answer: Answer, { toCall }: Operation, afterwards?: () => void): number {
  const before = process.cpuUsage()
  for (let index = 0; index < COUNT; index++) answer(toCall(index)).settle?.('sent')
  afterwards?.()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / COUNT
}
