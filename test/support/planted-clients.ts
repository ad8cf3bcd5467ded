// Clients that rely on accidents, each with one mistake.
import { contract } from '../../src/contract/generated/contract.ts'
import { draw, type Surprise } from '../../src/world/surprise.ts'

/** A command that runs a client, which fails by throwing. */
export const client = (script: string) => [
  process.execPath,
  '--input-type=module',
  '-e',
  `const headers = { authorization: 'Bearer k', 'content-type': 'application/json' }
   const send = (path, body) => fetch(process.env.ANIMAL_STORE_URL + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
   const check = (isRight) => { if (!isRight) throw new Error('broken') }
   ${script}`,
]

/** The first seed that has the surprise. */
export function seedWith(label: string, setting: Omit<Surprise, 'seed'> = {}): number {
  for (let seed = 1; ; seed++) if (draw({ seed, ...setting }, label) !== undefined) return seed
}

export interface Planted {
  readonly mistake: string
  readonly script: string
  /** The surprise to blame. */
  readonly label: string
  readonly flags?: readonly string[]
}

export const planted: readonly Planted[] = [
  {
    mistake: 'parses with a strict schema',
    script: `const known = ${JSON.stringify(Object.keys(contract.schemas.Pet.properties))}
      for (const pet of await (await send('/pets')).json()) check(Object.keys(pet).every((key) => known.includes(key)))`,
    label: 'extra-field@listPets#1',
  },
  {
    mistake: 'counts on twenty animals',
    script: `check((await (await send('/pets')).json()).length === 20)`,
    label: 'short-page@listPets#1',
    flags: ['--kinds', 'all', '--count', '30'],
  },
]
