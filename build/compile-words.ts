// The English words that generated animals are made of. All of faker's would be two thirds of the whole package.
import { en } from '@faker-js/faker'

/** As many as a list keeps, taken from all over it: faker knows fifteen hundred birds, and they would be a tenth of the package. */
const KEPT = 200

const { bird, cat, dog, horse, pet_name, rabbit, snake } = en.animal ?? {}

/** The text of the module with those words, as a locale for faker. */
export function compileWords(): string {
  const lists = { bird, cat, dog, horse, pet_name, rabbit, snake }
  const animal = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, thin(list)]))
  // For fields that have no words of their own.
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
  const step = Math.max(1, Math.floor(list.length / KEPT))
  return list.filter((_, index) => index % step === 0).slice(0, KEPT)
}
