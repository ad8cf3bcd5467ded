// The English words that generated animals are made of. Bundling all of faker's would triple the size of the package.
import { en } from '@faker-js/faker'

/** Words kept of each list, taken evenly from all of it: faker's fifteen hundred birds alone would be a tenth of the package. */
const MAX_WORDS = 200

const { bird, cat, dog, horse, pet_name, rabbit, snake } = en.animal ?? {}

/** The text of a module with these words, as a faker locale. */
export function compileWords(): string {
  const lists = { bird, cat, dog, horse, pet_name, rabbit, snake }
  const animal = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, thin(list)]))
  // For fields without words of their own.
  const words = { animal, word: { noun: thin(en.word?.noun) } }
  return [
    "// Made by `npm run build` from faker's English locale: see build/compile-words.ts.",
    "import type { LocaleDefinition } from '@faker-js/faker'",
    `export const words: LocaleDefinition = ${JSON.stringify(words)}`,
    '',
  ].join('\n\n')
}

function thin(words: readonly string[] | null | undefined): string[] {
  const list = words ?? []
  const step = Math.max(1, Math.floor(list.length / MAX_WORDS))
  return list.filter((_, index) => index % step === 0).slice(0, MAX_WORDS)
}
