// What "Break something" offers. Each has an id, so that a second click raises the count of the same fault instead of adding another.
import { contract, type OperationId } from '../generated/contract.ts'
import { isUsedUp } from '../settings/describe-fault.ts'
import type { Fault, LiveFault } from '../world/faults.ts'
import { change } from './actions.ts'
import { control } from './connection.ts'

interface Effect {
  readonly id: string
  readonly label: string
  readonly fault: Partial<Fault>
  /** How many times more; always if it has no number. */
  readonly times?: number
}

export const EFFECTS: readonly Effect[] = [
  { id: 'fail', label: 'Fail once', times: 1, fault: { status: 503 } },
  { id: 'fail', label: 'Fail twice', times: 2, fault: { status: 503 } },
  { id: 'fail', label: 'Fail always', fault: { status: 503 } },
  { id: 'slow', label: 'Slow, 2 s', fault: { delay: 2_000 } },
  { id: 'drop', label: 'Drop the connection', times: 1, fault: { drop: true } },
  { id: 'html', label: 'HTML from a gateway', times: 1, fault: { status: 502, body: 'html' } },
  { id: 'truncated', label: 'Half a body', times: 1, fault: { body: 'truncated' } },
  { id: 'limit', label: '429, Retry-After 5 s', times: 1, fault: { status: 429, retryAfter: 5 } },
]

let lastClick: Promise<unknown> = Promise.resolve()

/** Where something can break. */
export const PLACES = ['*', ...Object.keys(contract.operations)] as readonly (OperationId | '*')[]

/** The fault that the effect has there now, if it still does something. */
export function findBroken({ id, times }: Effect, place: OperationId | '*', faults: readonly LiveFault[]): LiveFault | undefined {
  const isCounted = (fault: LiveFault) => (fault.times === undefined) === (times === undefined)
  return faults.find((fault) => fault.id === idOf(id, place) && isCounted(fault) && !isUsedUp(fault))
}

/** One click after the other: a second one adds to what the first one made. */
export function breakThere(effect: Effect, place: OperationId | '*', sandbox?: string | null): Promise<boolean> {
  const { faults } = control(sandbox)
  const add = async () => {
    const broken = findBroken(effect, place, await faults.list())
    const times = effect.times === undefined ? {} : { times: effect.times + (broken?.times ?? 0) - (broken?.applied ?? 0) }
    return faults.add({ id: idOf(effect.id, place), operation: place, ...effect.fault, ...times } as Fault)
  }
  const run = () => change(add, undefined, sandbox)
  const done = lastClick.then(run, run)
  lastClick = done
  return done
}

/** The fault strikes as often as it did. */
export function breakAgain({ seen: _, applied: __, ...fault }: LiveFault, sandbox?: string | null): Promise<boolean> {
  return change(() => control(sandbox).faults.add(fault as Fault), undefined, sandbox)
}

function idOf(effect: string, place: string): string {
  return `${place === '*' ? 'all' : place}-${effect}`
}
