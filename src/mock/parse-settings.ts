// Settings from text to values: flags, variables, the bindings of a worker. Only the syntax is checked here; `createMock` and `serve`
// decide whether a value is valid.
import { UsageError } from '../contract/errors.ts'
import type { AssumptionChoices } from '../generated/contract.ts'
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

/** `createPet=503:2`: the operation, the status, and optionally how many times. */
export function parseFail(text: string): Fault {
  const [, operation, status, times] = /^([^=]+)=(\d{1,9})(?::([1-9]\d{0,8}))?$/.exec(text) ?? []
  if (operation === undefined) {
    throw new UsageError('expected an operation and a status like createPet=503, and optionally how many times: createPet=503:2')
  }
  return { operation: operation as Fault['operation'], status: Number(status), ...(times === undefined ? {} : { times: Number(times) }) }
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
