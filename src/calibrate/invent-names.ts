// Names for the animals of a stranger: the same for the same name, of the same length, and not
// derived from it.
import { words } from '../scenario/generated/pools.ts'

const SYLLABLES = ['ra', 'mi', 'to', 'lu', 'ne', 'ka', 'so', 'bi', 've', 'du']
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

export function createNames() {
  const given = new Map<string, string>()
  const taken = new Set<string>()

  return {
    get size(): number {
      return given.size
    },
    of(name: string): string {
      const known = given.get(name)
      if (known !== undefined) return known
      const invented = inventFree([...name].length, given.size, taken)
      given.set(name, invented)
      taken.add(invented)
      return invented
    },
  }
}

/** Names of one or two letters may run out, and are then given twice. */
function inventFree(length: number, nth: number, taken: ReadonlySet<string>): string {
  if (length === 0) return ''
  const usual = stretch(words.pet_name[nth % words.pet_name.length] as string, length)
  if (!taken.has(usual)) return usual
  for (let number = nth; number < nth + MOST_TRIES; number++) {
    const other = stretch(spell(number), length)
    if (!taken.has(other)) return other
  }
  return usual
}

const MOST_TRIES = 700

function stretch(name: string, length: number): string {
  if (name.length >= length) return name.slice(0, length)
  return name.padEnd(length, ` ${SYLLABLES.join('')}`)
}

/** Different letters for each number, the ones that differ most first. */
function spell(number: number): string {
  let rest = number
  let text = ''
  do {
    text += LETTERS[rest % LETTERS.length]
    rest = Math.floor(rest / LETTERS.length)
  } while (rest > 0)
  return (text[0] as string).toUpperCase() + text.slice(1)
}
