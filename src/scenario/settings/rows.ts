// One row per setting: its schema, what the schema cannot check, and how it is read. The document
// schema, its check and the options of createMock are derived from the rows. What only flags,
// bindings and reports need is in texts.ts.
import { assumptions, type Int64 } from '../../contract/generated/contract.ts'
import { MAX_FAULTS, MAX_LIST_ITEMS } from '../../contract/limits.ts'
import { BOOLEAN, type FindProblems, TEXT } from '../../contract/options.ts'
import { isEnough, type Problem } from '../../contract/problem.ts'
import { objectOf, type Schema } from '../../contract/schema.ts'
import { describeValue, readOwn, withoutUndefined } from '../../contract/values.ts'
import { findInstantProblems } from '../../world/clock.ts'
import type { ReadScenario, Settings } from '../../world/scenario.ts'
import { surpriseSchema } from '../../world/surprise.ts'
import { apiKeySchema } from './access.ts'
import { findDelayProblems, latencySchema, parseLatency } from './duration.ts'
import { faultSchema, findFlaws, readFault } from './fault.ts'

interface SettingRow<Name extends keyof Settings> {
  readonly schema: Schema
  /** What the schema cannot check; the value may be anything. */
  readonly findProblems?: FindProblems
  /** From what people write to what a state keeps; without it they are the same. */
  read?(value: NonNullable<Settings[Name]>): ReadScenario[Name]
}

const choiceSchemas = /* @__PURE__ */ Object.fromEntries(
  assumptions.map(({ id, choices }) => [id, { enum: choices }]),
)
export const assumeSchema: Schema = /* @__PURE__ */ objectOf([], choiceSchemas)

export const settingRows: { readonly [Name in keyof Settings]-?: SettingRow<Name> } = {
  apiKeys: {
    schema: {
      type: 'array',
      items: apiKeySchema,
      minItems: 1,
      maxItems: MAX_LIST_ITEMS,
      writeOnly: true,
    },
  },
  now: {
    schema: TEXT,
    findProblems: findInstantProblems,
  },
  frozen: {
    schema: BOOLEAN,
  },
  assume: {
    schema: assumeSchema,
    read: withoutUndefined,
  },
  faults: {
    schema: { type: 'array', items: faultSchema, maxItems: MAX_FAULTS },
    findProblems: findListFlaws,
    read: (faults) => faults.map(readFault),
  },
  latency: {
    schema: latencySchema,
    findProblems: findDelayProblems,
    read: parseLatency,
  },
  surprise: {
    schema: surpriseSchema,
  },
}

export const settingNames = Object.keys(settingRows) as (keyof Settings)[]

function findListFlaws(faults: unknown, path: string): Problem[] {
  // The schema reports a longer list.
  const listed: readonly unknown[] = Array.isArray(faults) ? faults.slice(0, MAX_FAULTS) : []
  const problems: Problem[] = []
  const ids: (string | undefined)[] = []
  for (const [index, fault] of listed.entries()) {
    problems.push(...findFlaws(fault, `${path}[${index}]`))
    const id = readOwn(fault, 'id')
    ids.push(typeof id === 'string' ? id : undefined)
  }
  return [...problems, ...findDuplicates(ids, path)]
}

export function findDuplicates(
  ids: readonly (Int64 | string | undefined)[],
  path: string,
): Problem[] {
  const problems: Problem[] = []
  const indexOf = new Map<Int64 | string, number>()
  for (const [index, id] of ids.entries()) {
    if (id === undefined || isEnough(problems)) continue
    const first = indexOf.get(id)
    if (first === undefined) {
      indexOf.set(id, index)
      continue
    }
    problems.push({
      kind: 'duplicate-id',
      path: `${path}[${index}].id`,
      id: describeValue(id),
      also: `${path}[${first}]`,
    })
  }
  return problems
}
