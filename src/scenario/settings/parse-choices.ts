// Choices for what the API leaves open, as people write them in flags: `invalid-query=clamp`.
import { mismatch } from '../../contract/errors.ts'
import type { AssumptionChoices } from '../../contract/generated/contract.ts'
import { checkValue } from '../../contract/options.ts'
import { assumeSchema } from './rows.ts'

type Choices = Partial<AssumptionChoices>

export function parseAssume(text: string): Choices {
  const [, question, choice] = /^([^=]+)=([^=]+)$/.exec(text) ?? []
  if (question !== undefined) return checkValue(assumeSchema, { [question]: choice })
  throw mismatch('', 'a question and a choice like invalid-query=clamp', { got: text })
}

export function mergeChoices(given: readonly Choices[]): Choices {
  return Object.assign({}, ...given)
}
