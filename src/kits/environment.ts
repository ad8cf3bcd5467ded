// What the environment says to a kit, and what a kit reports to the command that started the tests.
import type { Control } from '../control/control.ts'
import { surprisesOf } from '../control/events.ts'
import type { MockOptions } from '../mock/mock-options.ts'
import { nameVariable, readFlag } from '../scenario/settings/flag.ts'
import { readSurprise, surpriseFlags } from '../scenario/settings/texts.ts'
import { SURPRISE_REPORT } from '../world/surprise.ts'

interface Flag<T> {
  readonly syntax: string
  parse(text: string): T
}

/** A page may have a `process` too, but no versions. */
export const isNode = globalThis.process?.versions?.node !== undefined

/** The value of a flag of the command line, from its variable. A page has no environment. */
export function readVariable<T>(flag: Flag<T>): T | undefined {
  const variable = nameVariable(flag.syntax)
  const text = isNode ? process.env[variable] : undefined
  return text ? (readFlag(flag, text, variable) as T) : undefined
}

export function readSurpriseVariables(): Pick<MockOptions, 'surprise'> {
  const values: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries<Flag<unknown>>(surpriseFlags))
    values[name] = readVariable(flag)
  const surprise = readSurprise(values)
  return surprise ? { surprise } : {}
}

/** Writes the surprises of a mock to the file that the command `surprise` names. */
export function reportSurprises(control: Control): void {
  const file = isNode ? process.env[SURPRISE_REPORT] : undefined
  if (!file) return
  const { appendFileSync } = process.getBuiltinModule('node:fs')
  control.subscribe((event) => {
    for (const surprise of surprisesOf(event)) appendFileSync(file, `${surprise}\n`)
  })
}
