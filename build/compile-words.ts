// The English words that generated animals are made of, taken from faker by the build: all of its lists, and the code that draws from
// them, would double the size of the package.
import { en, type LocaleDefinition } from '@faker-js/faker'

/** Words kept of each list, taken evenly from all of it: faker's fifteen hundred birds alone would be a tenth of the package. */
const MAX_WORDS = 200

const { bird, cat, dog, horse, pet_name, rabbit, snake } = en.animal ?? {}

/** The words for animals, by faker's names, and those for fields without words of their own. */
export const words = {
  animal: mapLists({ bird, cat, dog, horse, pet_name, rabbit, snake }),
  word: mapLists({ noun: en.word?.noun }),
} satisfies LocaleDefinition

/** The text of a module with the words for animals. */
export function compileWords(): string {
  return [
    "// Made by `npm run build` from faker's English locale: see build/compile-words.ts.",
    `export const words = ${JSON.stringify(words.animal)}`,
    '',
  ].join('\n\n')
}

function mapLists<Name extends string>(lists: Record<Name, readonly string[] | null | undefined>): Record<Name, string[]> {
  return Object.fromEntries(
    Object.entries<readonly string[] | null | undefined>(lists).map(([name, list]) => [name, thin(list)]),
  ) as Record<Name, string[]>
}

function thin(words: readonly string[] | null | undefined): string[] {
  const list = words ?? []
  const step = Math.max(1, Math.floor(list.length / MAX_WORDS))
  return list.filter((_, index) => index % step === 0).slice(0, MAX_WORDS)
}
