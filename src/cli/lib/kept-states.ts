// What a file of `--persist` holds: the state as a scenario; with `--sandbox` an object with the
// shared state and those of the sandboxes, each a scenario.
import { readFile } from 'node:fs/promises'
import { misuse, UsageError } from '../../contract/errors.ts'
import { toJson } from '../../contract/int64-json.ts'
import { MAX_PERSISTED_BYTES, MAX_SANDBOXES } from '../../contract/limits.ts'
import { OBJECT, throwIfAny } from '../../contract/options.ts'
import { findViolations, objectOf, type Schema } from '../../contract/schema.ts'
import { isObject } from '../../contract/values.ts'
import { readScenarioFile } from '../../hosts/node/scenario-files.ts'
import { printState, resumeKept } from '../../mock/keep-state.ts'
import { checkScenario } from '../../scenario/check-scenario.ts'
import { readJsonDocument } from '../../scenario/read-json-document.ts'
import { sandboxSchema } from '../../scenario/settings/access.ts'
import type { ReadScenario } from '../../world/scenario.ts'
import type { Worlds } from '../../world/worlds.ts'

interface KeptSandbox {
  readonly sandbox: string
  readonly state: unknown
}

interface KeptStates {
  readonly state: unknown
  readonly sandboxes: readonly KeptSandbox[]
}

const keptSandbox = objectOf(['sandbox', 'state'], { sandbox: sandboxSchema, state: OBJECT })
const keptStates: Schema = objectOf(['state', 'sandboxes'], {
  state: OBJECT,
  sandboxes: { type: 'array', items: keptSandbox, maxItems: MAX_SANDBOXES },
})

/** Resumes the states of a file, which a mock without sandboxes may have written. */
export async function resumeFromFile(worlds: Worlds, file: string): Promise<void> {
  const kept = await readKeptStates(file)
  if (!kept) {
    resumeKept(worlds, await readScenarioFile(file))
    return
  }
  if (!worlds.hasSandboxes) {
    const remedy = 'start the mock with --sandbox, or choose another file'
    throw misuse('--persist', `${file} has the states of sandboxes; ${remedy}`)
  }
  const shared = checkKept(kept.state, file, 'state')
  const states = kept.sandboxes.map(({ sandbox, state }, index) => {
    return { sandbox, scenario: checkKept(state, file, `sandboxes[${index}].state`) }
  })
  resumeKept(worlds, shared)
  for (const { sandbox, scenario } of states) resumeKept(worlds, scenario, sandbox)
}

async function readKeptStates(file: string): Promise<KeptStates | undefined> {
  const text = await readFile(file, 'utf8')
  if (!/^\s*\{\s*"(?:state|sandboxes)"/.test(text)) return undefined
  const document = readJsonDocument(text, { at: { file } }, { keys: Number.MAX_SAFE_INTEGER })
  throwIfAny(findViolations(keptStates, document), file)
  return isObject(document) ? (document as unknown as KeptStates) : undefined
}

function checkKept(state: unknown, file: string, path: string): ReadScenario {
  try {
    return checkScenario(state)
  } catch (error) {
    const { message } = error as UsageError
    throw new UsageError(`${file}: ${path}: ${message}`)
  }
}

/** The states, and how many sandboxes are left out since the file would be too large. */
export function printStates(worlds: Worlds, maxCharacters = MAX_PERSISTED_BYTES) {
  const shared = printState(worlds)
  if (!worlds.hasSandboxes) return { text: shared, left: 0 }
  const names = worlds.keys()
  const printed: string[] = []
  let length = shared.length
  // If there is not enough room, the longest idle sandboxes are left out.
  for (const sandbox of names.toReversed()) {
    const line = `{"sandbox":${toJson(sandbox)},"state":${printState(worlds, sandbox)}}`
    length += line.length
    if (length > maxCharacters) break
    printed.unshift(line)
  }
  const text = `{"state":${shared},"sandboxes":[\n${printed.join(',\n')}\n]}`
  return { text, left: names.length - printed.length }
}
