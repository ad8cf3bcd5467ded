// The menu "Break something": a grid of what can go wrong, by operation. A click adds a fault,
// another one removes it.
import { contract, type OperationId } from '../../contract/generated/contract.ts'
import type { ControlClient } from '../../control/client/client.ts'
import { isUsedUp } from '../../world/fault-outcome.ts'
import type { Fault, FaultCounts, LiveFault } from '../../world/faults.ts'
import { change, takeTurn } from '../model/actions.ts'
import { read } from '../model/mock.ts'
import { currentSandbox, link } from '../model/route.ts'
import { signal } from '../model/signal.ts'
import { count } from '../model/text.ts'
import { Button, MockButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'

type FaultPlace = OperationId | '*'
type Kind = { readonly id: string; readonly label: string; readonly fault: Partial<Fault> }

const KINDS: readonly Kind[] = [
  { id: 'fail', label: 'Fail with 503', fault: { status: 503 } },
  { id: 'limit', label: 'Fail with 429, retry after 5 s', fault: { status: 429, retryAfter: 5 } },
  { id: 'slow', label: 'Wait 2 s', fault: { delay: 2_000 } },
  { id: 'drop', label: 'Drop the connection', fault: { drop: true } },
  { id: 'html', label: 'HTML page of a gateway', fault: { status: 502, body: 'html' } },
  { id: 'truncated', label: 'Half a body', fault: { body: 'truncated' } },
]
const OPERATIONS = Object.keys(contract.operations) as readonly OperationId[]
export const PLACES: readonly FaultPlace[] = ['*', ...OPERATIONS]
/** These do not tell a fault from one that a click adds. */
const IGNORED: readonly string[] = ['id', 'times', 'retryAfter'] satisfies (keyof Fault)[]
const MAX_TIMES = 9

/**
 * How often the next click breaks something; undefined for always. A client that retries has to
 * survive two.
 */
const times = signal<number | undefined>(2)

export function namePlace(place: FaultPlace): string {
  return place === '*' ? 'all' : place
}

export function clearFaults() {
  return change((mock) => mock.faults.clear())
}

export function BreakMenu() {
  const faults = read('faults') ?? []
  return (
    <Menu class="pill dashed" name="+ Break" more=" something" hotkey="b">
      <div class="break-head">
        <HowOften />
        <span class="grow" />
        <MockButton class="button quiet" isOff={faults.every(isUsedUp)} onClick={clearFaults}>
          All off
        </MockButton>
        <a class="button quiet" href={link('faults')}>
          More…
        </a>
      </div>
      <div
        class="break"
        role="toolbar"
        aria-label="What to break"
        style={`--places: ${PLACES.length}`}
      >
        <small />
        {PLACES.map((place) => (
          <small key={place}>{namePlace(place)}</small>
        ))}
        {KINDS.map((kind) => renderKind(kind, faults))}
      </div>
    </Menu>
  )
}

function HowOften() {
  const chosen = times.value
  const step = (by: 1 | -1) => {
    const next = (chosen ?? MAX_TIMES + 1) + by
    times.value = next > MAX_TIMES ? undefined : Math.max(1, next)
  }
  return (
    <>
      <b>How often</b>
      <Button aria-label="Less often" isOff={chosen === 1} onClick={() => step(-1)}>
        −
      </Button>
      <output aria-label="How often">
        {chosen === undefined ? 'always' : count(chosen, 'time')}
      </output>
      <Button aria-label="More often" isOff={chosen === undefined} onClick={() => step(1)}>
        +
      </Button>
    </>
  )
}

function renderKind(kind: Kind, faults: readonly LiveFault[]) {
  const cells = PLACES.map((place) => renderCell(kind, place, faults))
  return [<span key={kind.id}>{kind.label}</span>, ...cells]
}

function renderCell(kind: Kind, place: FaultPlace, faults: readonly LiveFault[]) {
  const broken = findBroken(kind, place, faults)
  const label = `${kind.label}: ${namePlace(place)}`
  // Tab stops at the first; the arrows go to the others.
  const isStop = kind === KINDS[0] && place === PLACES[0]
  return (
    <MockButton
      key={label}
      class="cell"
      aria-pressed={broken !== undefined}
      aria-label={label}
      tabIndex={isStop ? 0 : -1}
      onClick={() => toggle(kind, place)}
    >
      {broken ? `×${timesLeft(broken) ?? '∞'}` : '·'}
    </MockButton>
  )
}

function timesLeft(fault: LiveFault): number | undefined {
  return fault.times === undefined ? undefined : fault.times - fault.applied
}

/** A fault that does just that there and still has an effect. */
function findBroken(kind: Kind, place: FaultPlace, faults: readonly LiveFault[]) {
  const wanted: Partial<Fault> = { operation: place, ...kind.fault }
  return faults.find((fault) => !isUsedUp(fault) && hasSameEffect(fault, wanted))
}

function hasSameEffect(fault: LiveFault, wanted: Partial<Fault>): boolean {
  const names = Object.keys({ ...withoutCounts(fault), ...wanted }) as (keyof Fault)[]
  const compared = names.filter((name) => !IGNORED.includes(name))
  // A field may say that it has no effect, such as `after: 0`.
  return compared.every((name) => (fault[name] || undefined) === wanted[name])
}

function withoutCounts(fault: LiveFault): Omit<LiveFault, keyof FaultCounts> {
  const { seen, applied, ...definition } = fault
  return definition
}

function toggle(kind: Kind, place: FaultPlace): void {
  const wanted = times.value
  const addOrRemove = async (mock: ControlClient) => {
    const broken = findBroken(kind, place, await mock.faults.list())
    if (!broken) {
      const id = `${namePlace(place)}-${kind.id}`
      return mock.faults.add({ id, operation: place, ...kind.fault, times: wanted } as Fault)
    }
    if (timesLeft(broken) === wanted) return mock.faults.remove(broken.id)
    return mock.faults.add({ ...withoutCounts(broken), times: wanted } as Fault)
  }
  const sandbox = currentSandbox()
  takeTurn(() => change(addOrRemove, { sandbox }))
}
