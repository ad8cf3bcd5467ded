// The schemas of the arguments of what if, and of making it real.
import { parseInt64 } from '../contract/int64-json.ts'
import { MAX_FAULTS } from '../contract/limits.ts'
import { BOOLEAN, type OptionSchemas, TEXT } from '../contract/options.ts'
import type { Problem } from '../contract/problem.ts'
import { joinPath, mapOf, objectOf, orNull, type Schema } from '../contract/schema.ts'
import { isPlainObject } from '../contract/values.ts'
import { latencySchema } from '../scenario/settings/duration.ts'
import { faultSchema, findFlaws } from '../scenario/settings/fault.ts'
import { assumeSchema } from '../scenario/settings/rows.ts'
import type { OnwardOptions, WhatIfChange } from './control.ts'
import {
  describeChangedPet,
  describeRequestChange,
  findTimeProblems,
  ROW_ID,
} from './method-inputs.ts'
import type { Input } from './method-row.ts'

type Moment = WhatIfChange & { readonly id: number }
type Question = Moment & OnwardOptions & { readonly alternatives: true }

/** A row, and what to change before it. */
export function describeMoment(): OptionSchemas<Moment> {
  const faultIds: Schema = { type: 'array', items: TEXT, maxItems: MAX_FAULTS }
  const { id, ...petFields } = describeChangedPet()
  return {
    id: ROW_ID,
    without: {
      oneOf: [{ enum: ['faults'] }, faultIds],
      title: 'faults, or a list of the ids of faults',
      description: 'Without any fault, or without these.',
    },
    assume: { ...assumeSchema, description: 'Other choices for what the API leaves open.' },
    latency: { ...latencySchema, description: 'Another latency; off or null for none.' },
    at: { ...TEXT, description: 'Another moment, such as 2030-12-06.' },
    with: {
      type: 'array',
      items: faultSchema,
      maxItems: MAX_FAULTS,
      description: 'With these faults too.',
    },
    pets: {
      ...mapOf(orNull(objectOf([], petFields))),
      description: 'Other animals by their ids; null removes one.',
    },
    request: {
      ...objectOf([], describeRequestChange()),
      description: 'Another method, target, body or header fields; null leaves one out.',
    },
  }
}

export function describeWhatIf(): OptionSchemas<Question> {
  return {
    ...describeMoment(),
    alternatives: {
      ...BOOLEAN,
      description: 'List each change that gives another response.',
    },
    onward: {
      ...BOOLEAN,
      description: 'Also which later responses would differ, and the state at the end.',
    },
    all: {
      ...BOOLEAN,
      description: 'With onward: lists all rows.',
    },
  }
}

/** What the schemas cannot check. */
export function findMomentProblems(input: Input): Problem[] {
  return [
    ...findTimeProblems(input),
    ...findFaultProblems(input.with),
    ...findIdProblems(input.pets),
  ]
}

function findFaultProblems(faults: unknown): Problem[] {
  if (!Array.isArray(faults)) return []
  return faults.flatMap((fault, index) => findFlaws(fault, `with[${index}]`))
}

function findIdProblems(pets: unknown): Problem[] {
  if (!isPlainObject(pets)) return []
  const wrong = Object.keys(pets).filter((id) => parseInt64(id) === undefined)
  return wrong.map((id) => ({
    kind: 'mismatch',
    path: joinPath('pets', id),
    expected: 'the id of an animal',
  }))
}
