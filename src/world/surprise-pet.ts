// What surprises do to a generated animal.
import type { Pet } from '../contract/generated/contract.ts'
import { createRandom, hash, type Random } from '../contract/random.ts'
import { draw, type PetKind, type Surprise } from './surprise.ts'

type ChangePet = (pet: Pet, random: Random, before?: Pet) => Pet

/** `%` is the old name. */
const ODD_NAMES = [
  '',
  '  %  ',
  '% 🐈‍⬛',
  '\u202e%',
  "O'% & <b>sons</b>",
  '"%"\\n',
  '%\u0000',
  'Zoë % Ångström',
  /* @__PURE__ */ '%'.padEnd(361, ' of the Hill'),
]

/** Applied in this order. */
const petKinds: Readonly<Record<PetKind, ChangePet>> = {
  'absent-status'(pet) {
    const { status, ...rest } = pet
    return rest
  },
  'equal-names'(pet, _random, before) {
    return before ? { ...pet, name: before.name } : pet
  },
  'odd-names'(pet, random) {
    const name = random.pick(ODD_NAMES).replaceAll('%', () => pet.name)
    return { ...pet, name }
  },
}

/** How many of the animals a kind changes. */
const SHARE = 0.4

/** `before` is the animal before it in the list, as it was given. */
export function surprisePet(given: Pet, before: Pet | undefined, surprise: Surprise): Pet {
  let pet = given
  for (const [kind, change] of Object.entries(petKinds)) {
    const random = createRandom(hash(`${surprise.seed} ${kind} ${pet.id}`))
    const isChosen = random.next() < SHARE
    if (isChosen && draw(surprise, kind)) pet = change(pet, random, before)
  }
  return pet
}
