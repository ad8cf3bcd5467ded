// Settings from text to values: flags, variables, the bindings of a worker. Of most only the syntax is checked here; `createMock` and
// `serve` decide whether a value is valid.
import { UsageError } from '../contract/errors.ts'
import { parseInt64 } from '../contract/int64-json.ts'
import { list } from '../contract/schema.ts'
import { FAULT_BODIES } from '../fault-body.ts'
import type { AssumptionChoices } from '../generated/contract.ts'
import { checkFault } from '../scenario/check.ts'
import type { Delay, Fault } from '../world/faults.ts'

export function parseInteger(text: string): number {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(value)) throw new UsageError('expected a whole number')
  return value
}

/** `200`, or `200-800` for a time between the two; in milliseconds. */
export function parseLatency(text: string): Delay {
  const [, shortest, longest] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? []
  if (shortest === undefined) throw new UsageError('expected milliseconds like 200, or a range like 200-800')
  return longest === undefined ? Number(shortest) : [Number(shortest), Number(longest)]
}

const FAIL = /^([^=/]+)(?:\/(-?\d+))?=([^@]+)(?:@(\d*\.?\d+))?$/

/**
 * A fault: `createPet=503:2` (twice), `listPets=drop`, `*=500@0.3` (with that probability), `listPets=200:truncated`, `getPet/7=502:html` (one
 * animal), `listPets=200-800ms` (a delay).
 */
export function parseFail(text: string): Fault {
  const [, operation, petId, words = '', rate] = FAIL.exec(text) ?? []
  if (operation === undefined) throw new UsageError('expected an operation and what happens, like createPet=503 or listPets=drop')
  const fault: Record<string, unknown> = { operation }
  if (petId !== undefined) fault.petId = parseInt64(petId) ?? petId
  if (rate !== undefined) fault.rate = Number(rate)
  for (const [index, word] of words.split(':').entries()) {
    const [name, value] = readFaultWord(word, index === 0)
    if (name in fault) throw new UsageError(`${JSON.stringify(word)}: ${name} is given twice`)
    fault[name] = value
  }
  return checkFault(fault)
}

/** A number comes first as a status, and later as the number of times. */
function readFaultWord(word: string, isFirst: boolean): readonly [name: keyof Fault, value: unknown] {
  if (word === 'drop') return ['drop', true]
  if (Object.hasOwn(FAULT_BODIES, word)) return ['body', word]
  if (/^\d.*ms$/.test(word)) return ['delay', parseLatency(word.slice(0, -2))]
  if (isFirst && /^\d{1,9}$/.test(word)) return ['status', Number(word)]
  if (!isFirst && /^[1-9]\d{0,8}$/.test(word)) return ['times', Number(word)]
  const number = isFirst ? 'a status' : 'how many times'
  const bodies = list(Object.keys(FAULT_BODIES), 'or')
  throw new UsageError(`${JSON.stringify(word)}: expected ${number}, drop, a delay like 200ms or 200-800ms, ${bodies}`)
}

/** `invalid-query=clamp`: an assumption, and the choice for it. */
export function parseAssume(text: string): Partial<AssumptionChoices> {
  const [question = '', choice = '', ...rest] = text.split('=')
  if (question === '' || choice === '' || rest.length > 0) throw new UsageError('expected a question and a choice like invalid-query=clamp')
  return { [question]: choice }
}

const ON = ['1', 'true', 'yes', 'on']
const OFF = ['0', 'false', 'no', 'off']

/** A switch that a variable sets. */
export function parseSwitch(text: string): boolean {
  const word = text.toLowerCase()
  if (!ON.includes(word) && !OFF.includes(word)) throw new UsageError(`expected 1 or 0, got ${JSON.stringify(text)}`)
  return ON.includes(word)
}

/** Several values in one text, as a variable has them. */
export function splitList(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '')
}
