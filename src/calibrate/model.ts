// The engine as the judge: what it would answer from a state, under each choice that the answer
// depends on.
import {
  type AssumptionChoices,
  type AssumptionId,
  assumptions,
} from '../contract/generated/contract.ts'
import { createService } from '../service/answer.ts'
import { toCall } from '../service/call.ts'
import { listAll } from '../world/assumption-set.ts'
import { createSteadyTime } from '../world/clock.ts'
import { RESERVED_KEY } from '../world/scenario.ts'
import { beginState, createOrigin, type State, stopClock } from '../world/state.ts'
import type { Exchange } from './exchange.ts'

export type Choices = Partial<AssumptionChoices>

export interface Prediction {
  /** Those that the answer depends on. */
  readonly choices: Choices
  readonly status: number
  readonly body: string
  readonly sunset: string | undefined
  /** After the request. */
  readonly state: State
}

/** Compared by themselves, since they change no other part of a response. */
const APART: readonly AssumptionId[] = ['error-codes', 'sunset-header']

const times = { real: () => Date.now(), steady: createSteadyTime() }
const choicesOf: ReadonlyMap<AssumptionId, readonly string[]> = /* @__PURE__ */ listChoices()

/** Of the questions that have more than one. */
function listChoices() {
  const open = assumptions.filter(({ id, choices }) => choices.length > 1 && !APART.includes(id))
  return new Map(open.map(({ id, choices }) => [id, choices]))
}

function refuseWorlds(): never {
  throw new Error('an imagined request has no world')
}

const { imagine } = createService({
  corsOrigins: [],
  times,
  worldOf: refuseWorlds,
  stateOf: refuseWorlds,
  onBegin() {},
  onEnd() {},
})

/** `keys`: which of the numbered keys are valid. */
export function createModelState(keys: readonly number[]): State {
  const apiKeys = keys.map(spellKey)
  return beginState(createOrigin({ apiKeys, assume: { 'valid-keys': 'any' } }), times)
}

/**
 * What the exchange would get from this state, for each combination of choices that matters and is
 * not `made`.
 */
export function predict(exchange: Exchange, state: State, made: Choices = {}): Prediction[] {
  const { method, target, body, type } = exchange
  const headers: Record<string, string> = {}
  const authorization = authorize(exchange)
  if (authorization !== undefined) headers.authorization = authorization
  if (type !== undefined) headers['content-type'] = type
  const call = toCall({ method, target, headers, body })
  const then = stopClock(state, exchange.start, times)

  function explore(choices: Choices): Prediction[] {
    const {
      reply,
      row,
      state: after,
    } = imagine(call, {
      ...then,
      choices: { ...then.choices, ...choices },
    })
    const open = listAll(row.assumptions).find((id) => choicesOf.has(id) && !(id in choices))
    if (open !== undefined) {
      const others = choicesOf.get(open) ?? []
      return others.flatMap((choice) => explore({ ...choices, [open]: choice }))
    }
    const { status, body: text, headers: fields } = reply
    return [{ choices, status, body: text, sunset: fields.Sunset, state: after }]
  }

  const isKnown = typeof exchange.key !== 'number' || then.apiKeys.has(spellKey(exchange.key))
  if (isKnown || made['valid-keys'] !== undefined) return explore(made)
  const ifAny = explore({ ...made, 'valid-keys': 'any' })
  const ifListed = explore({ ...made, 'valid-keys': 'listed' })
  return [...ifAny, ...ifListed]
}

const spellKey = (key: number): string => `key-${key}`

/** A browser leaves keys out of a file, so that only a refusal shows that there was none. */
function authorize({ key, answer }: Exchange): string | undefined {
  if (typeof key === 'number') return `Bearer ${spellKey(key)}`
  if (key === 'malformed') return 'Bearer'
  if (key === 'none') return undefined
  return answer.status === 401 ? `Bearer ${RESERVED_KEY}` : 'Bearer key-unknown'
}
