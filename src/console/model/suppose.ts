// What you do at a moment before now changes nothing there: it becomes part of a supposition. The
// views show the moment with it.
import { UsageError } from '../../contract/errors.ts'
import type { Pet } from '../../contract/generated/contract.ts'
import { withoutUndefined } from '../../contract/values.ts'
import type { ControlClient } from '../../control/client/client.ts'
import type {
  AssumptionState,
  ClockState,
  PetChanges,
  PetPage,
  WhatIfChange,
} from '../../control/control.ts'
import type { Fault, LiveFault } from '../../world/faults.ts'

const REFUSAL = 'Not at a moment before now: return to now first (Escape)'

/** What there was then, without what is supposed. */
type PastMoment = { readonly faults: readonly LiveFault[]; readonly now: string }

/** A control that adds to a supposition what it is asked to do, as far as one can suppose it. */
export function createSupposer(moment: PastMoment, change: WhatIfChange) {
  let supposed = change
  const add = (more: WhatIfChange) => {
    supposed = withoutUndefined({ ...supposed, ...more })
  }
  const addPet = (id: unknown, changes: PetChanges | null) => {
    const pets = { ...supposed.pets, [String(id)]: changes }
    add({ pets })
  }
  const refuse = () => {
    throw new UsageError(REFUSAL)
  }
  const supposer = {
    assume: (choices: object) => add({ assume: { ...supposed.assume, ...choices } }),
    pets: {
      add: refuse,
      update: (id: unknown, changes: PetChanges) => {
        const known = supposed.pets?.[String(id)]
        addPet(id, { ...known, ...changes })
      },
      remove: (id: unknown) => addPet(id, null),
    },
    faults: {
      list: () => supposeFaults(moment.faults, supposed),
      add: (fault: Fault) => {
        const { id = findFreeId(supposed) } = fault
        add({ with: [...listOthers(supposed, id), { ...fault, id }] })
      },
      remove: (id: string) => add(removeFault(moment.faults, supposed, id)),
      clear: () => add({ without: 'faults', with: undefined }),
    },
    latency: { set: (latency: WhatIfChange['latency']) => add({ latency: latency ?? null }) },
    clock: {
      set: (now: string | null) => add({ at: now ?? new Date().toISOString() }),
      advance: (ms: number) => {
        const start = Date.parse(supposed.at ?? moment.now)
        add({ at: new Date(start + ms).toISOString() })
      },
      freeze: refuse,
    },
    load: refuse,
    reset: refuse,
    rewind: refuse,
    undo: refuse,
    call: refuse,
  }
  return { mock: supposer as unknown as ControlClient, readChange: () => supposed }
}

/** As the mock would call a fault that has no id. */
function findFreeId(change: WhatIfChange): string {
  const taken = change.with?.map((fault) => fault.id) ?? []
  let number = 1
  while (taken.includes(`what-if-${number}`)) number++
  return `what-if-${number}`
}

/** The faults that are supposed, but for one. */
function listOthers(change: WhatIfChange, id: string): readonly Fault[] {
  return (change.with ?? []).filter((fault) => fault.id !== id)
}

/** A supposed fault may have replaced one of the moment; then both are gone. */
function removeFault(
  past: readonly LiveFault[],
  change: WhatIfChange,
  id: string,
): Pick<WhatIfChange, 'with' | 'without'> {
  const others = listOthers(change, id)
  const wasThere = past.some((fault) => fault.id === id)
  return {
    with: others.length > 0 ? others : undefined,
    without: wasThere ? leaveOut(change.without, id) : change.without,
  }
}

function leaveOut(without: WhatIfChange['without'] = [], id: string): WhatIfChange['without'] {
  if (without === 'faults' || without.includes(id)) return without
  return [...without, id]
}

export function supposeFaults(faults: readonly LiveFault[], change: WhatIfChange): LiveFault[] {
  const { without = [], with: added = [] } = change
  const gone = without === 'faults' ? faults.map((fault) => fault.id) : without
  const addedIds = added.map((fault) => fault.id)
  const left = faults.filter(({ id }) => !gone.includes(id) && !addedIds.includes(id))
  return [...left, ...added.map((fault) => ({ seen: 0, applied: 0, ...fault }) as LiveFault)]
}

export function supposeChoices(
  assumptions: readonly AssumptionState[],
  change: WhatIfChange,
): AssumptionState[] {
  const choices: Readonly<Record<string, string | undefined>> = change.assume ?? {}
  return assumptions.map((one) => ({ ...one, choice: choices[one.id] ?? one.choice }))
}

export function supposeClock<Clock extends ClockState>(clock: Clock, change: WhatIfChange): Clock {
  if (change.at === undefined) return clock
  return { ...clock, now: new Date(change.at).toISOString() }
}

export function supposePets(page: PetPage, change: WhatIfChange): PetPage {
  if (!change.pets) return page
  const pets = page.pets.map((pet) => supposePet(pet, change)).filter((pet) => pet !== null)
  const changed = Object.keys(change.pets).map((id) => [id, 'changed'] as const)
  const marks = { ...page.marks, ...Object.fromEntries(changed) }
  return { ...page, pets, marks }
}

export function supposePet(pet: Pet, change: WhatIfChange): Pet | null {
  const changes = change.pets?.[String(pet.id)]
  if (changes === undefined) return pet
  if (changes === null) return null
  const fields = Object.entries({ ...pet, ...changes }).filter(([, value]) => value !== null)
  return Object.fromEntries(fields) as unknown as Pet
}
