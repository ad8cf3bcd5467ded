// A fault as people write it in a flag: `createPet=503:2`, `listPets=drop`, `getPet/7=502@0.5`,
// `listPets.status=sold=503`.
import { mismatch, UsageError } from '../../contract/errors.ts'
import { contract, type OperationContract } from '../../contract/generated/contract.ts'
import { parseInt64, tryJson } from '../../contract/int64-json.ts'
import { checkValue } from '../../contract/options.ts'
import { readTyped, type Schema } from '../../contract/schema.ts'
import { suggest } from '../../contract/suggest.ts'
import { readOwn } from '../../contract/values.ts'
import type { RequestCondition } from '../../world/fault-condition.ts'
import { FAULT_BODIES, OUTCOME_FLAGS } from '../../world/fault-outcome.ts'
import type { Fault } from '../../world/faults.ts'
import { faultSchema, findFlaws } from './fault.ts'

type Fields = Record<string, unknown>

const NUMBERS = { 'retry-after': 'retryAfter', times: 'times', after: 'after' } as const
const FLAGS: readonly string[] = OUTCOME_FLAGS
const WORDS = [
  ...FLAGS,
  ...Object.keys(FAULT_BODIES),
  'slow=',
  ...Object.keys(NUMBERS).map((name) => `${name}=`),
]
/** What a fault is for, and what it does. */
const FAULT = /^([^=]+)=(.+)$/s
/** An operation or `*`, perhaps an animal's id, perhaps the name of a parameter or a field. */
const SUBJECT = /^([^/.]+)(?:\/([^.]*))?(?:\.(.+))?$/s
/** The value of that field, and what the fault does. */
const FIELD_VALUE = /^([^=]*)=(.+)$/s
const EFFECT = /^([^@]+)(?:@(.+))?$/s

/**
 * An operation or `*`, perhaps `/` and an animal's id, perhaps `.` and a field with its value; `=`
 * and words between colons; perhaps `@` and a probability.
 */
export function parseFault(text: string): Fault {
  if (text.includes(',')) throw mismatch('', 'one fault at a time', { got: text })
  const [, head = '', tail = ''] = FAULT.exec(text) ?? []
  const [, operation, petId, field] = SUBJECT.exec(head) ?? []
  const fault: Fields = { operation }
  if (petId !== undefined) fault.petId = parseInt64(petId) ?? petId
  let effect = tail
  if (field !== undefined && operation !== undefined) {
    const [, value = '', rest = ''] = FIELD_VALUE.exec(tail) ?? []
    fault.when = parseCondition(operation, field, value)
    effect = rest
  }
  const [, words, rate] = EFFECT.exec(effect) ?? []
  if (!operation || !words) {
    const expected = 'an operation and what happens, like createPet=503 or listPets=drop'
    throw mismatch('', expected, { got: text })
  }
  if (rate !== undefined) fault.rate = /^[\d.e-]+$/.test(rate) ? Number(rate) : rate
  for (const word of words.split(':')) {
    const [name, value] = parseFaultWord(word, fault)
    if (name in fault) throw new UsageError(`${JSON.stringify(word)}: ${name} is given twice`)
    fault[name] = value
  }
  return checkValue(faultSchema, fault, '', findFlaws) as unknown as Fault
}

/** What a word sets, after those before it. */
function parseFaultWord(word: string, before: Fields): [field: keyof Fault, value: unknown] {
  if (FLAGS.includes(word)) return [word as keyof Fault, true]
  if (Object.hasOwn(FAULT_BODIES, word)) return ['body', word]
  if (/^[1-9]\d{0,14}$/.test(word) || isShortNumber(word)) return parseNumber(word, before)
  const [name = '', value = ''] = word.split('=', 2)
  if (Object.hasOwn(NUMBERS, name) && /^\d{1,15}$/.test(value)) {
    return [NUMBERS[name as keyof typeof NUMBERS], Number(value)]
  }
  if (name === 'slow' || name === 'hold') return [name, value]
  const isDelay = /^[\dP]/.test(word) && !/^[\d.]+$/.test(word)
  if (isDelay) return ['delay', word]
  throw notAWord(word)
}

/** A field of the body if the operation has one, or else a parameter of the query. */
function parseCondition(operation: string, field: string, value: string): RequestCondition {
  const operations: Readonly<Record<string, OperationContract>> = contract.operations
  const known = Object.hasOwn(operations, operation) ? operations[operation] : undefined
  if (!known) throw new UsageError(`.${field} needs an operation, as in listPets.status=sold=503`)
  const text = decodeValue(value)
  if (known.body === null) return { query: { [field]: text } }
  const schema = readOwn(known.body.schema.properties, field) as Schema | undefined
  if (schema !== undefined) return { body: { [field]: readTyped(schema, text) } }
  // A field that the contract does not know may be of any type.
  const json = tryJson(text)
  return { body: { [field]: json === undefined ? text : json } }
}

function decodeValue(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw mismatch('', 'a value with valid percent-encoding', { got: value })
  }
}

const isShortNumber = (word: string): boolean => /^\d{1,2}$/.test(word)

/**
 * The first number is the status, the next the count. After a flag, a body, a delay or a speed, a
 * short number is the count.
 */
function parseNumber(word: string, before: Fields): [field: keyof Fault, value: unknown] {
  const { status, body, delay, slow } = before
  const hasFlag = FLAGS.some((flag) => flag in before)
  const isFirst = !hasFlag && [status, body, delay, slow].every((one) => one === undefined)
  if (isShortNumber(word) && isFirst) {
    const hint = `for how often, write times=${word}`
    throw new UsageError(`${JSON.stringify(word)}: expected a status first; ${hint}`)
  }
  // `0` and `00` are no count.
  if (word.startsWith('0')) throw notAWord(word)
  const isCount = isShortNumber(word) || status !== undefined || hasFlag
  return [isCount ? 'times' : 'status', Number(word)]
}

function notAWord(word: string): UsageError {
  const [name = ''] = word.split('=', 1)
  const expected = 'a number from 1 or a delay like 200ms'
  return new UsageError(`${JSON.stringify(word)} is not ${expected}; ${suggest(name, WORDS)}`)
}
