// Clients that rely on accidents, each with one mistake.
import { draw, type Surprise } from '../../src/surprise.ts'

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

/** The first seed with these surprises on, and those off. */
export function seedWith(on: readonly string[], off: readonly string[], setting: Omit<Surprise, 'seed'>): number {
  for (let seed = 1; ; seed++) {
    const isOn = (label: string) => draw({ seed, ...setting }, label) !== undefined
    if (on.every(isOn) && !off.some(isOn)) return seed
  }
}

export interface Planted {
  readonly mistake: string
  readonly script: string
  /** The surprise to blame, and others that would break it too. */
  readonly label: string
  readonly others?: readonly string[]
  readonly flags?: readonly string[]
}

export const planted: readonly Planted[] = [
  {
    mistake: 'takes the first of a list as the newest',
    script: `for (const name of ['Ada', 'Bob']) {
      await send('/pets', { name, categoryId: 1 })
      check((await (await send('/pets')).json())[0].name === name)
    }`,
    label: 'order@listPets#2',
    others: ['order@listPets#1'],
    flags: ['--assume', 'list-order=newest-first'],
  },
  {
    mistake: 'rounds ids',
    script: `for (const { id } of await (await send('/pets?limit=3')).json()) check((await send('/pets/' + id)).ok)`,
    label: 'big-ids',
  },
  {
    mistake: 'compares the code of an error exactly',
    script: `check((await (await send('/pets/404')).json()).code === 'NotFound')`,
    label: 'error-words@getPet?petId=404#1',
  },
  {
    mistake: 'parses with a strict schema',
    script: `const known = ['id', 'name', 'categoryId', 'status']
      for (const pet of await (await send('/pets')).json()) check(Object.keys(pet).every((key) => known.includes(key)))`,
    label: 'extra-field@listPets#1',
  },
  {
    mistake: 'counts on twenty animals',
    script: `check((await (await send('/pets')).json()).length === 20)`,
    label: 'short-page@listPets#1',
    flags: ['--kinds', 'all', '--count', '30'],
  },
  {
    mistake: 'compares raw JSON text',
    script: `const sent = { name: 'Rex', categoryId: 1 }
      const { id } = await (await send('/pets', sent)).json()
      check((await (await send('/pets/' + id)).text()) === JSON.stringify({ id, ...sent }))`,
    label: 'json-spelling@getPet?petId=19#1',
    others: ['big-ids', 'extra-field@getPet?petId=19#1'],
  },
]
