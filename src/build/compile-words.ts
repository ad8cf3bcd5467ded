// The English words that generated animals are made of. All of faker's would be two thirds of the whole package.
import { en } from '@faker-js/faker'

const { bird, cat, dog, fish, horse, pet_name, rabbit, snake } = en.animal ?? {}

/** The text of the module with those words, as a locale for faker. */
export function compileWords(): string {
  const words = { animal: { bird, cat, dog, fish, horse, pet_name, rabbit, snake }, word: { noun: en.word?.noun } }
  return [
    "// Made by `npm run build` from faker's English locale: see src/build/compile-words.ts.",
    "import type { LocaleDefinition } from '@faker-js/faker'",
    `export const words: LocaleDefinition = ${JSON.stringify(words)}`,
    '',
  ].join('\n\n')
}
