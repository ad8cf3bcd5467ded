// The yardstick of the engine: the least that any stateful mock has to do. It routes, checks the
// key and the input, reads or writes a stored text, makes the header fields and keeps a row.
import { Buffer } from 'node:buffer'
import type { Call, Pet, Reply } from '../src/index.ts'

const BEARER = /^bearer +([^ ].*)/i
const LIMIT = /^[1-9]\d{0,2}$/
const PATH = '/v1/pets'
const MAX_ROWS = 1_000

interface Texts {
  readonly byId: Map<string, string>
  readonly byStatus: ReadonlyMap<string, readonly string[]>
}

export function createStub(pets: readonly Pet[]): (call: Call) => Reply {
  const texts = store(pets)
  const rows = new Array<object>(MAX_ROWS)
  const decoder = new TextDecoder()
  let count = 0
  let second = 0
  let date = ''

  function run(call: Call): readonly [status: number, body: string] {
    const { method, target, body } = call
    const queryAt = target.indexOf('?')
    const path = queryAt < 0 ? target : target.slice(0, queryAt)
    if (path !== PATH) return [200, texts.byId.get(path.slice(PATH.length + 1)) ?? '']
    if (method === 'GET') return list(target.slice(queryAt + 1), texts)
    return create(decoder.decode(body), texts)
  }

  return (call) => {
    const { method, target, headers } = call
    const key = BEARER.exec(headers.authorization ?? '')?.[1]
    const [status, body] = key === undefined ? [401, ''] : run(call)
    const at = Date.now()
    if (Math.floor(at / 1_000) !== second) {
      second = Math.floor(at / 1_000)
      date = new Date(at).toUTCString()
    }
    const id = count++
    rows[id % MAX_ROWS] = { id, method, target, key: key?.slice(-4), status, body, at }
    const sent = {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      Date: date,
      'Cache-Control': 'no-store',
      Vary: 'Origin',
    }
    return { status, headers: sent, body }
  }
}

function store(pets: readonly Pet[]): Texts {
  const byId = new Map<string, string>()
  const byStatus = new Map<string, string[]>()
  for (const pet of pets) {
    const text = JSON.stringify(pet)
    const status = pet.status ?? ''
    const same = byStatus.get(status) ?? []
    same.push(text)
    byStatus.set(status, same)
    byId.set(String(pet.id), text)
  }
  return { byId, byStatus }
}

function list(search: string, { byId, byStatus }: Texts): [status: number, body: string] {
  const query = new Map<string, string>()
  for (const part of search.split('&')) {
    const [name = '', value = ''] = part.split('=')
    query.set(name, value)
  }
  const limit = query.get('limit') ?? '20'
  if (!LIMIT.test(limit) || Number(limit) > 100) return [400, '']
  const found = byStatus.get(query.get('status') ?? '') ?? [...byId.values()]
  return [200, `[${found.slice(0, Number(limit)).join(',')}]`]
}

function create(text: string, { byId }: Texts): [status: number, body: string] {
  const { name, categoryId, status } = JSON.parse(text)
  if (typeof name !== 'string' || !Number.isInteger(categoryId)) return [400, '']
  const id = byId.size + 1
  const body = JSON.stringify({ id, name, categoryId, status })
  byId.set(String(id), body)
  return [201, body]
}
