// Lists out of a hundred animals and out of a million, in a process of its own, since a million animals would weigh on
// everything measured after them.

import type { Pet } from '../src/generated/contract.ts'
import type { createMock as CreateMock, Mock } from '../src/mock/mock.ts'
import { importBuilt } from './built.ts'
import { interleave, ratios, type Spread } from './measure.ts'
import { heapInUse, timeEach } from './timing.ts'

export interface ScaleResult {
  /** How much longer the list out of a million takes, by query. */
  readonly slower: Readonly<Record<string, Spread>>
  /** Bytes of heap for each animal of the million. */
  readonly heapPerAnimal: number
}

const FEW = 100
const MANY = 1_000_000
const ROUNDS = 31
const LISTS = 50

const queries: Readonly<Record<string, string>> = {
  'any status': '',
  available: '&status=available',
  pending: '&status=pending',
  'sold, which only forty of them are': '&status=sold',
}

/** All the sold ones come last, where a search that starts at the front finds them latest. */
function* animals(count: number): Generator<Pet> {
  for (let id = 1; id <= count; id++) {
    const status = id > count - 40 ? 'sold' : id % 3 === 0 ? 'pending' : 'available'
    yield { id, name: `Rex the Beagle ${id % 1000}`, categoryId: 1 + (id % 8), status }
  }
}

async function run(): Promise<ScaleResult> {
  const { createMock } = await importBuilt<{ createMock: typeof CreateMock }>('index.js')
  const few = createMock({ pets: [...animals(FEW)] })
  const before = heapInUse()
  const many = createMock({ pets: [...animals(MANY)] })
  const heapPerAnimal = (heapInUse() - before) / MANY
  const slower: Record<string, Spread> = {}
  for (const [name, query] of Object.entries(queries)) {
    const time = (mock: Mock) => timeLists(mock, `/v1/pets?limit=20${query}`)
    await interleave([many, few], 5, time)
    const [ofMany = [], ofFew = []] = await interleave([many, few], ROUNDS, time)
    slower[name] = ratios(ofMany, ofFew)
  }
  return { slower, heapPerAnimal }
}

/** The time of many lists, each after an animal was added, so that none can be the text of the one before. */
function timeLists(mock: Mock, target: string): number {
  mock.control.reset()
  const headers: Readonly<Record<string, string>> = { authorization: 'Bearer bench-key', 'content-type': 'application/json' }
  const header = (name: string) => headers[name]
  const body = new TextEncoder().encode('{"name":"Rex","categoryId":1,"status":"pending"}')
  let spent = 0
  for (let list = 0; list < LISTS; list++) {
    mock.answer({ method: 'POST', target: '/v1/pets', header, body })
    spent += timeEach(1, () => mock.answer({ method: 'GET', target, header }))
  }
  return spent
}

run().then((result) => process.send?.(result))
