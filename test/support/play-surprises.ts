// Requests to a surprised mock on any host, and what a client gets: for comparing hosts, and for a
// golden file.
import type { Mock, MockOptions } from '../../src/index.ts'
import { kindNames } from '../../src/world/surprise.ts'
import { herd } from './animals.ts'
import { createClient, type Wire } from './client.ts'

export const SEEDS = [1, 2, 3, 7, 2 ** 40]
const QUICK = kindNames.filter((kind) => kind !== 'delay')
const JSON_TYPE = { 'content-type': 'application/json' }

const REQUESTS = [
  { target: '/v1/pets' },
  { target: '/v1/pets?limit=3&utm=x' },
  {
    method: 'POST',
    target: '/v1/pets',
    headers: JSON_TYPE,
    body: '{"name":"Zo\\u00eb 🐈","categoryId":9007199254740993}',
  },
  { target: '/v1/pets' },
  { target: '/v1/pets/2' },
  { target: '/v1/pets/99' },
  { method: 'POST', target: '/v1/pets', headers: JSON_TYPE, body: '{}' },
  { target: '/v1/pets', key: null },
]

/** What a client gets for the requests. */
export async function play(wire: Wire): Promise<string> {
  const { ask } = createClient({} as Mock, wire)
  const lines: string[] = []
  for (const one of REQUESTS) {
    const { status, headers, text } = await ask(one)
    lines.push(
      `${one.method ?? 'GET'} ${one.target}\n${status} ${headers['content-type']} ${headers['x-mock-surprise']}\n${JSON.stringify(text)}\n`,
    )
  }
  return lines.join('\n')
}

/** Written animals, so that the state is the same on a host that gets it as JSON. */
export const optionsFor = (seed: number): MockOptions => ({
  pets: herd(6),
  surprise: { seed, kinds: QUICK },
})
