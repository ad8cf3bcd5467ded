// The text form of a fault, as flags, bindings and commands take it: `createPet=503:2`.
import { UsageError } from '../contract/errors.ts'
import { parseInt64 } from '../contract/int64-json.ts'
import { FAULT_BODIES } from '../fault-body.ts'
import { suggest } from '../near-names.ts'
import type { TimedFault } from '../world/faults.ts'
import { parseDelay } from './duration.ts'
import { checkFault } from './fault.ts'

/** Words with a number: `retry-after=30`. */
const NUMBERS = { 'retry-after': 'retryAfter', times: 'times', after: 'after' } as const
const WORDS = ['drop', ...Object.keys(FAULT_BODIES), ...Object.keys(NUMBERS).map((name) => `${name}=`)]
const FAULT = /^([^=/]+)(?:\/([^=]*))?=([^@]+)(?:@(.+))?$/

/**
 * An operation or `*`, perhaps `/` and an animal's id; then `=` and words with colons between them; then perhaps `@` and a probability. The
 * first number is the status, and the next one how many times; after `drop`, a body or a delay one of two digits is how many times, too.
 */
export function parseFault(text: string): TimedFault {
  const [, operation, petId, words = '', rate] = FAULT.exec(text) ?? []
  if (operation === undefined) throw new UsageError('expected an operation and what happens, like createPet=503 or listPets=drop')
  const fault: Record<string, unknown> = { operation }
  if (petId !== undefined) fault.petId = parseInt64(petId) ?? petId
  if (rate !== undefined) fault.rate = /^[\d.e-]+$/.test(rate) ? Number(rate) : rate
  for (const word of words.split(':')) {
    const [name, value] = parseWord(word, fault)
    if (name in fault) throw new UsageError(`${JSON.stringify(word)}: ${name} is given twice`)
    fault[name] = value
  }
  return checkFault(fault)
}

function parseWord(
  word: string,
  { status, drop, body, delay }: Readonly<Record<string, unknown>>,
): readonly [name: keyof TimedFault, value: unknown] {
  const [name = '', value] = word.split('=', 2)
  if (word === 'drop') return ['drop', true]
  if (Object.hasOwn(FAULT_BODIES, word)) return ['body', word]
  const isShort = /^\d{1,2}$/.test(word)
  if (isShort && [status, drop, body, delay].every((one) => one === undefined))
    throw new UsageError(`${JSON.stringify(word)}: expected a status first; for how often, write times=${word}`)
  const isCount = isShort || status !== undefined || drop !== undefined
  if (/^[1-9]\d{0,14}$/.test(word)) return [isCount ? 'times' : 'status', Number(word)]
  if (Object.hasOwn(NUMBERS, name) && /^\d{1,15}$/.test(value ?? '')) return [NUMBERS[name as 'times'], Number(value)]
  if (/^[\dP]/.test(word) && word !== '0') return ['delay', parseDelay(word)]
  throw new UsageError(`${JSON.stringify(word)} is not a number or a delay like 200ms; ${suggest(name, WORDS)}`)
}
