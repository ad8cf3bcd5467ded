// The English words that generated animals are made of. All of faker's would be two thirds of the whole package.
import { en } from '@faker-js/faker'

/** The text of the module with those words, as a locale for faker. */
export function compileWords(): string {
  const words = { animal: en.animal, word: { noun: en.word?.noun } }
  return [
    "// Made by `npm run build` from faker's English locale: see src/build/compile-words.ts.",
    "import type { LocaleDefinition } from '@faker-js/faker'",
    `export const words: LocaleDefinition = ${JSON.stringify(words)}`,
    '',
  ].join('\n\n')
}
