// A state with the changes of a what if, but for the time and the request.
import { notFound } from '../contract/errors.ts'
import type { AssumptionChoices, Int64, Pet } from '../contract/generated/contract.ts'
import { parseInt64 } from '../contract/int64-json.ts'
import { checkValue } from '../contract/options.ts'
import { addedPetSchema, parsePetText, toPetText } from '../contract/pet.ts'
import { joinPath } from '../contract/schema.ts'
import { freezeCopy, withoutUndefined } from '../contract/values.ts'
import { parseLatency } from '../scenario/settings/duration.ts'
import { readFault } from '../scenario/settings/fault.ts'
import { findPetText } from '../world/catalogue.ts'
import { addFault, type CountedFault, type Fault } from '../world/faults.ts'
import { type State, setPetText } from '../world/state.ts'
import type { PetChanges, WhatIfChange } from './control.ts'

export function changeMoment(given: State, change: WhatIfChange): State {
  const { latency, assume = {}, pets = {}, with: added = [] } = change
  const gone = listFaultsLeftOut(given, change.without)
  let state: State = {
    ...given,
    faults: given.faults.filter((one) => !gone.includes(one.fault.id)),
    choices: { ...given.choices, ...withoutUndefined(assume) } as AssumptionChoices,
    latency: latency === undefined ? given.latency : parseLatency(latency),
  }
  for (const fault of added) state = addFault(state, nameFault(fault, state.faults)).state
  for (const [id, fields] of Object.entries(pets)) state = changePet(state, id, fields)
  return state
}

function listFaultsLeftOut(state: State, without: WhatIfChange['without'] = []): readonly string[] {
  const ids = state.faults.map((one) => one.fault.id)
  if (without === 'faults') return ids
  const unknown = without.find((id) => !ids.includes(id))
  if (unknown !== undefined) throw notFound('Fault', unknown, ids)
  return without
}

/** An imagined fault that was made real may have the first names. */
function nameFault(fault: Fault, others: readonly CountedFault[]) {
  const read = readFault(fault)
  if (read.id !== undefined) return freezeCopy(read)
  const taken = new Set(others.map((one) => one.fault.id))
  let number = 1
  while (taken.has(`what-if-${number}`)) number++
  return freezeCopy({ ...read, id: `what-if-${number}` })
}

/** As RFC 7396 merges, one level deep: null removes a field that may be absent. */
function changePet(state: State, name: string, changes: PetChanges | null): State {
  const id = parseInt64(name) as Int64
  const before = findPetText(state.catalogue, id)
  if (changes === null) {
    if (before === undefined) throw notFound('Animal', id)
    return setPetText(state, id, undefined)
  }
  const known = before === undefined ? {} : parsePetText(before)
  const fields = Object.entries({ ...known, ...changes }).filter(([, value]) => value !== null)
  const pet = { ...Object.fromEntries(fields), id }
  const checked: Pet = checkValue(addedPetSchema, pet as Pet, joinPath('pets', name))
  return setPetText(state, id, toPetText(checked))
}
