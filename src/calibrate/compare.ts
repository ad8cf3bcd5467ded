// Whether a response is the one that the engine predicts. The words of an error are not compared.
import { toErrorText } from '../contract/error-text.ts'
import { type AssumptionChoices, contract } from '../contract/generated/contract.ts'
import { readOwn } from '../contract/values.ts'
import type { Exchange } from './exchange.ts'
import type { Prediction } from './model.ts'
import { normalize } from './normal-form.ts'

const operations: readonly { readonly statuses: readonly number[] }[] = Object.values(
  contract.operations,
)
const documented: ReadonlySet<number> = new Set(operations.flatMap(({ statuses }) => statuses))

/** The part that differs. */
type Aspect = 'status' | 'body'

/** `statuses`: those of all predictions. */
export function findDifference(
  exchange: Exchange,
  predicted: Prediction,
  statuses: ReadonlySet<number>,
): Aspect | undefined {
  const { answer, method } = exchange
  const isNearest = statuses.has(answer.status)
    ? answer.status === predicted.status
    : isNear(answer.status, predicted.status)
  if (!isNearest) return 'status'
  const isCompared = answer.status < 300 && !answer.isUnseen && method !== 'HEAD'
  if (!isCompared || predicted.body === '') return undefined
  return normalize(exchange).text === predicted.body ? undefined : 'body'
}

/**
 * A status that no operation documents is a flaw of its own. It is then taken for another one of
 * its kind.
 */
function isNear(got: number, predicted: number): boolean {
  if (got < 300) return predicted < 300
  return predicted >= 400 && !documented.has(got)
}

/** The spellings of error codes that an error fits; undefined for what is none. */
export function findSpellings(
  exchange: Exchange,
  spellings: readonly AssumptionChoices['error-codes'][],
): AssumptionChoices['error-codes'][] | undefined {
  const { status, json } = exchange.answer
  const code = readOwn(json, 'code')
  if (status < 400 || typeof code !== 'string') return undefined
  return spellings.filter((one) => JSON.parse(toErrorText(status, '', one)).code === code)
}
