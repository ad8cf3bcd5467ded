// A scenario as people write it: its type and its schema. It can use two shortcuts, `extends` and
// `generate`.
import { NO_ID_LEFT } from '../contract/int64-json.ts'
import { MAX_SCENARIO_NAME_CHARACTERS } from '../contract/limits.ts'
import { COUNT, INT64, type OptionSchemas, TEXT } from '../contract/options.ts'
import { addedPetSchema } from '../contract/pet.ts'
import { objectOf, type Schema } from '../contract/schema.ts'
import { readOwn } from '../contract/values.ts'
import type { Calibrated, Scenario, Settings } from '../world/scenario.ts'
import { type GenerateSettings, generateSchema } from './generate/settings.ts'
import { assumeSchema, settingNames, settingRows } from './settings/rows.ts'

/** A scenario, with the shortcuts that a file may use. */
export interface ScenarioDocument extends Scenario {
  /** The schema, for your editor. @default none */
  readonly $schema?: string | undefined
  /**
   * The scenario that this one changes: a shipped name; in a file, also one in its folder or below,
   * or a row of a recording, as in `run.jsonl#12`; in a kit, any file; not in `createMock`.
   * @default none
   */
  readonly extends?: string | undefined
  /** Animals to generate, with ids after the ids of `pets`. @default none */
  readonly generate?: GenerateSettings | undefined
}

const SHORTCUTS = ['extends', 'generate'] as const

const settingSchemas = /* @__PURE__ */ Object.fromEntries(
  settingNames.map((name) => [name, settingRows[name].schema]),
)
const calibrated: OptionSchemas<Calibrated> = {
  on: TEXT,
  against: TEXT,
  choices: assumeSchema,
}
export const documentFields: OptionSchemas<ScenarioDocument> = {
  $schema: TEXT,
  name: { ...TEXT, maxLength: MAX_SCENARIO_NAME_CHARACTERS },
  description: TEXT,
  pets: { type: 'array', items: addedPetSchema },
  // Once the last id is given out, it must not be given out again.
  nextId: { ...INT64, maximum: Number(NO_ID_LEFT), title: 'a 64-bit integer' },
  generated: COUNT,
  ...(settingSchemas as OptionSchemas<Settings>),
  calibrated: objectOf(['on', 'against', 'choices'], calibrated),
  random: { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  extends: TEXT,
  generate: generateSchema,
}
export const documentSchema: Schema = /* @__PURE__ */ objectOf([], documentFields)

/** A list is a saved response: the animals alone. */
export function toDocument(given: unknown): unknown {
  return Array.isArray(given) ? { pets: given } : given
}

export function listShortcuts(given: unknown): string[] {
  return SHORTCUTS.filter((shortcut) => readOwn(given, shortcut) !== undefined)
}

export function isReference(given: unknown): boolean {
  return typeof given === 'string' || listShortcuts(given).length > 0
}
