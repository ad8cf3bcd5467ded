// The English words that generated animals are made of. All of faker's would be two thirds of the whole package.
import { en } from '@faker-js/faker'

/** For fields that have no words of their own; a pool of theirs takes a few dozen. */
const NOUNS = 200

const { bird, cat, dog, fish, horse, pet_name, rabbit, snake } = en.animal ?? {}

/** The text of the module with those words, as a locale for faker. */
export function compileWords(): string {
  const words = { animal: { bird, cat, dog, fish, horse, pet_name, rabbit, snake }, word: { noun: en.word?.noun?.slice(0, NOUNS) } }
  return [
    "// Made by `npm run build` from faker's English locale: see src/build/compile-words.ts.",
    "import type { LocaleDefinition } from '@faker-js/faker'",
    `export const words: LocaleDefinition = ${JSON.stringify(words)}`,
    '',
  ].join('\n\n')
}
