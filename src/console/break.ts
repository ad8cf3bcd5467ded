// What "Break something" offers: kinds of faults by places, each with an id, so that a click finds the fault of the one before.
import type { ControlClient } from '../client/client.ts'
import { contract, type OperationId } from '../generated/contract.ts'
import { isUsedUp } from '../render/describe-fault.ts'
import type { Fault, LiveFault } from '../world/faults.ts'
import { change } from './actions.ts'
import { currentSandbox } from './route.ts'
import { signal } from './signal.ts'

export interface Kind {
  readonly id: string
  readonly label: string
  readonly fault: Partial<Fault>
}

export const KINDS: readonly Kind[] = [
  { id: 'fail', label: 'Fail with 503', fault: { status: 503 } },
  { id: 'limit', label: 'Fail with 429, retry after 5 s', fault: { status: 429, retryAfter: 5 } },
  { id: 'slow', label: 'Wait 2 s', fault: { delay: 2_000 } },
  { id: 'drop', label: 'Drop the connection', fault: { drop: true } },
  { id: 'html', label: 'HTML page of a gateway', fault: { status: 502, body: 'html' } },
  { id: 'truncated', label: 'Half a body', fault: { body: 'truncated' } },
]

/** Where something can break. */
export const PLACES = ['*', ...Object.keys(contract.operations)] as readonly (OperationId | '*')[]

const MOST = 9
/** How often the next click breaks something; undefined for always. Twice is what a client that tries again has to survive. */
export const times = signal<number | undefined>(2)

/** One time more or less; always is more than the most. */
export function step(by: 1 | -1): void {
  const next = (times.value ?? MOST + 1) + by
  times.value = next > MOST ? undefined : Math.max(1, next)
}

let lastClick: Promise<unknown> = Promise.resolve()

/** The fault of that kind there, if it still does something. */
export function findBroken({ id }: Kind, place: OperationId | '*', faults: readonly LiveFault[]): LiveFault | undefined {
  return faults.find((fault) => fault.id === idOf(id, place) && !isUsedUp(fault))
}

/** How often it will strike; undefined for always. */
export function timesLeft({ times: all, applied }: LiveFault): number | undefined {
  return all === undefined ? undefined : all - applied
}

/** Breaks it as often as you chose, or mends it if that is so already. One click after the other. */
export function toggle(kind: Kind, place: OperationId | '*'): Promise<unknown> {
  const [wanted, sandbox] = [times.value, currentSandbox()]
  const add = async ({ faults }: ControlClient) => {
    const broken = findBroken(kind, place, await faults.list())
    if (broken && timesLeft(broken) === wanted) return faults.remove(broken.id)
    const more = wanted === undefined ? {} : { times: wanted }
    return faults.add({ id: idOf(kind.id, place), operation: place, ...kind.fault, ...more } as Fault)
  }
  const run = () => change(add, undefined, sandbox)
  const done = lastClick.then(run, run)
  lastClick = done
  return done
}

/** The fault strikes as often as it did. */
export function breakAgain({ seen: _, applied: __, ...fault }: LiveFault, sandbox?: string | null): Promise<unknown> {
  return change(({ faults }) => faults.add(fault as Fault), undefined, sandbox)
}

function idOf(kind: string, place: string): string {
  return `${place === '*' ? 'all' : place}-${kind}`
}
