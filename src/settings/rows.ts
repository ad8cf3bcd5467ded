// One row per setting: its schema, what the schema cannot check, and how it is read. The document schema, its check and
// the options of createMock follow from the rows. What only flags, bindings and reports need is in texts.ts.
import { describeValue } from '../contract/describe-value.ts'
import type { Problem } from '../contract/problem.ts'
import type { Schema } from '../contract/schema.ts'
import { assumptions } from '../generated/contract.ts'
import { MAX_FAULTS, MAX_KEY_CHARACTERS, MAX_LIST_ITEMS } from '../limits.ts'
import { surpriseSchema } from '../surprise.ts'
import { parseInstant } from '../world/clock.ts'
import type { ReadScenario, Settings } from '../world/scenario.ts'
import { delaySchema, findDelayProblems, parseDelay } from './duration.ts'
import { faultSchema, findFaultProblems, timeFault } from './fault.ts'

interface SettingRow<Written, Read> {
  readonly schema: Schema
  /** What the schema cannot check; the value may be anything. */
  findProblems?(value: unknown, path: string): Problem[]
  /** From what people write to what a state keeps; without it they are the same. */
  read?(value: Written): Read
}

/** RFC 6750 §2.1. */
export const B64TOKEN = /^[A-Za-z0-9._~+/-]+=*$/
export const apiKeySchema: Schema = {
  type: 'string',
  pattern: B64TOKEN.source,
  maxLength: MAX_KEY_CHARACTERS,
  title: `a bearer token (RFC 6750) of at most ${MAX_KEY_CHARACTERS} characters`,
  writeOnly: true,
}

export const assumeSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(assumptions.map(({ id, choices }) => [id, { enum: choices }])),
}

export const settingRows: { readonly [Name in keyof Settings]-?: SettingRow<NonNullable<Settings[Name]>, ReadScenario[Name]> } = {
  apiKeys: { schema: { type: 'array', items: apiKeySchema, minItems: 1, maxItems: MAX_LIST_ITEMS, writeOnly: true } },
  now: { schema: { type: 'string' }, findProblems: findInstantProblems },
  frozen: { schema: { type: 'boolean' } },
  assume: { schema: assumeSchema },
  faults: {
    schema: { type: 'array', items: faultSchema, maxItems: MAX_FAULTS },
    findProblems: findFaultProblems,
    read: (faults) => faults.map(timeFault),
  },
  latency: { schema: delaySchema, findProblems: findDelayProblems, read: parseDelay },
  surprise: { schema: surpriseSchema },
}

export const settingNames = Object.keys(settingRows) as (keyof Settings)[]

function findInstantProblems(now: unknown, path: string): Problem[] {
  if (typeof now !== 'string') return []
  try {
    parseInstant(now)
    return []
  } catch {
    const expected = 'a date from 1970 to 9999, like 2030-12-06 or 2030-12-06T08:30:00Z'
    return [{ kind: 'mismatch', path, expected, got: describeValue(now) }]
  }
}
