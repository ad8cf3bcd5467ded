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

/** By the end of the id of the fault that a click adds. */
const FAULTS = {
  fail: { status: 503 },
  limit: { status: 429, retryAfter: 5 },
  slow: { delay: 2_000 },
  drop: { drop: true },
  html: { status: 502, body: 'html' },
  truncated: { body: 'truncated' },
} satisfies Readonly<Record<string, Partial<Fault>>>
const LABELS: Readonly<Record<keyof typeof FAULTS, string>> = {
  fail: 'Fail with 503',
  limit: 'Fail with 429, retry after 5 s',
  slow: 'Wait 2 s',
  drop: 'Drop the connection',
  html: 'HTML page of a gateway',
  truncated: 'Half a body',
}
const KINDS = Object.entries(LABELS).map(toKind)
const OPERATIONS = Object.keys(contract.operations) as readonly OperationId[]
export const PLACES: readonly FaultPlace[] = ['*', ...OPERATIONS]
const COLUMNS = `--places: ${PLACES.length}`
/** These do not tell a fault from one that a click adds. */
const IGNORED: readonly string[] = ['id', 'times', 'retryAfter'] satisfies (keyof Fault)[]
const MAX_TIMES = 9

/**
 * How often the next click breaks something; undefined for always. A client that retries has to
 * survive two.
 */
const times = signal<number | undefined>(2)

function toKind([id, label]: [string, string]): Kind {
  return { id, label, fault: FAULTS[id as keyof typeof FAULTS] }
}

export function namePlace(place: FaultPlace): string {
  return place === '*' ? 'all' : place
}

export function clearFaults() {
  return change((mock) => mock.faults.clear())
}

export function BreakMenu() {
  const faults = read('faults') ?? []
  const isOff = faults.every(isUsedUp)
  return (
    <Menu class="pill dashed" name="+ Break" more=" something" hotkey="b">
      <BreakHead isOff={isOff} />
      <div class="break" role="toolbar" aria-label="What to break" style={COLUMNS}>
        <small />
        {PLACES.map(renderHead)}
        {KINDS.map((kind) => renderKind(kind, faults))}
      </div>
    </Menu>
  )
}

function BreakHead({ isOff }: { isOff: boolean }) {
  return (
    <div class="break-head">
      <HowOften />
      <span class="grow" />
      <MockButton class="button quiet" isOff={isOff} onClick={clearFaults}>
        All off
      </MockButton>
      <a class="button quiet" href={link('faults')}>
        More…
      </a>
    </div>
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

function renderHead(place: FaultPlace) {
  return <small key={place}>{namePlace(place)}</small>
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
  const tabIndex = isStop ? 0 : -1
  const act = () => toggle(kind, place)
  return (
    <MockButton
      key={label}
      class="cell"
      aria-pressed={broken !== undefined}
      aria-label={label}
      tabIndex={tabIndex}
      onClick={act}
    >
      {printCell(broken)}
    </MockButton>
  )
}

/** How often it will happen, as in `×2`. */
function printCell(broken: LiveFault | undefined): string {
  if (!broken) return '·'
  return `×${timesLeft(broken) ?? '∞'}`
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
