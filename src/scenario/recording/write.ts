// A recording: the timeline as JSON Lines, made when someone asks for it. The first line says what
// it is; then come origins, faults, the first known state of each sandbox, and rows with what each
// changed.
import { UsageError } from '../../contract/errors.ts'
import type { Int64 } from '../../contract/generated/contract.ts'
import { version } from '../../contract/generated/version.ts'
import { toJson } from '../../contract/int64-json.ts'
import { MAX_RECORDING_CHARACTERS } from '../../contract/limits.ts'
import { count } from '../../contract/problem.ts'
import { compareCatalogues } from '../../world/catalogue.ts'
import { printInstant, type Times } from '../../world/clock.ts'
import type { CountedFault } from '../../world/faults.ts'
import { createChange, type KeptRow } from '../../world/kept-row.ts'
import { stateAfter } from '../../world/log.ts'
import { redactFault } from '../../world/redact.ts'
import { saveRow } from '../../world/saved-row.ts'
import { printOrigin, saveState } from '../../world/saved-state.ts'
import { baseOf, type Origin, type State, withoutKeys } from '../../world/state.ts'
import type { World } from '../../world/world.ts'
import { nameSandbox, RECORDING_FORMAT } from './line.ts'

interface Placed {
  readonly world: World
  readonly row: KeptRow
  readonly after: State
}

type IsWanted = (row: KeptRow) => boolean

/**
 * The first of the worlds is written as the shared one. With `isWanted`, the recording has only
 * those rows, and of the other worlds only those that have some of them.
 */
export function writeRecording(given: readonly World[], times: Times, isWanted?: IsWanted): string {
  const realNow = times.real()
  const steadyNow = times.steady()
  const rows = listRows(given, isWanted)
  const worlds = isWanted ? findUsed(given, rows) : given
  const head = {
    format: RECORDING_FORMAT,
    version,
    madeAt: printInstant(realNow),
    rows: rows.length,
    sandboxes: worlds.length - 1,
  }
  const lines = [toJson(head)]
  const nameOf = (world: World) => (world === worlds[0] ? undefined : nameSandbox(world.number))
  // All states as they are at one moment.
  const printState = createStatePrinter(lines, { real: () => realNow, steady: () => steadyNow })
  const started = new Set<World>()

  function writeStart(world: World, state: State): void {
    if (started.has(world)) return
    started.add(world)
    lines.push(addField(toJson({ sandbox: nameOf(world) }), printState(state)))
  }

  function writeRow(placed: Placed): void {
    const { world, row, after } = placed
    const { before } = row
    if (before) writeStart(world, before)
    const { sandbox, ...saved } = saveRow(row, null)
    const line = toJson({ sandbox: nameOf(world), row: saved })
    const isChange = before && before !== after
    lines.push(isChange ? addField(line, printState(after, before)) : line)
  }

  for (const row of rows) writeRow(row)
  for (const world of worlds) writeStart(world, world.state)
  return joinLines(lines)
}

/** Of all worlds, in the order of their ids. */
function listRows(worlds: readonly World[], isWanted: IsWanted | undefined): Placed[] {
  const placed = worlds.flatMap((world) => {
    const rows = world.timeline.rows({ waiting: true }).map((row, index, all) => {
      return { world, row, after: stateAfter(all, index, world.state) }
    })
    return isWanted ? leaveOut(rows, isWanted) : rows
  })
  return placed.sort((one, other) => one.row.id - other.row.id)
}

/**
 * The wanted rows of a world. Where others in between changed the state, one row says so: what a
 * row did is the difference to the state before the next one.
 */
function leaveOut(rows: readonly Placed[], isWanted: IsWanted): Placed[] {
  const kept: Placed[] = []
  let skipped: Placed[] = []
  for (const placed of rows) {
    if (!isWanted(placed.row)) {
      skipped.push(placed)
      continue
    }
    const before = kept.at(-1)
    const last = skipped.at(-1)
    const hasChanged = before?.row.before && last && before.after !== last.after
    if (hasChanged) kept.push(describeGap(skipped.length, last, before.after))
    kept.push(placed)
    skipped = []
  }
  return kept
}

function describeGap(skipped: number, last: Placed, before: State | undefined): Placed {
  const { id, at, realAt } = last.row
  const text = `${count(skipped, 'row')} left out`
  const row = createChange({ id, at, realAt, before, method: 'recording', text })
  return { ...last, row }
}

function findUsed(worlds: readonly World[], rows: readonly Placed[]): readonly World[] {
  const used = new Set(rows.map(({ world }) => world))
  return worlds.filter((world, index) => index === 0 || used.has(world))
}

/** Prints the field `state` of a line; before it come the lines of its origin and its faults. */
function createStatePrinter(lines: string[], times: Times) {
  const origins = new Map<Origin, number>()
  const faults = new Map<CountedFault['fault'], number>()

  /**
   * The number of an origin or a fault. Its first use writes a line, since a fault may hold a large
   * response.
   */
  function numberOf<T>(numbers: Map<T, number>, value: T, print: () => string): number {
    const known = numbers.get(value)
    if (known !== undefined) return known
    lines.push(print())
    numbers.set(value, numbers.size + 1)
    return numbers.size
  }

  /**
   * All settings, and the animals that differ from those before, or from the start of another
   * origin.
   */
  return (state: State, before?: State): string => {
    const { scenario, ...others } = saveState(withoutKeys(state), times)
    const origin = numberOf(origins, state.origin, () => printOriginLine(state.origin))
    const counts = state.faults.map((counted) => {
      const { fault, seen, applied } = counted
      const number = numberOf(faults, fault, () => toJson({ fault: redactFault(fault) }))
      return [number, seen, applied]
    })
    const settings = toJson({
      ...others,
      scenario: { ...scenario, faults: undefined },
      origin,
      faults: counts,
    })
    return `"state":${addField(settings, printPets(baseOf(state.origin, before), state))}`
  }
}

function printOriginLine(origin: Origin): string {
  const faults = origin.faults.map((one) => ({ ...one, fault: redactFault(one.fault) }))
  return `{"origin":${printOrigin(withoutKeys({ ...origin, faults }))}}`
}

function printPets(base: Pick<State, 'catalogue'>, state: State): string {
  const changed: string[] = []
  const removed: Int64[] = []
  for (const { key, after } of compareCatalogues(base.catalogue, state.catalogue)) {
    if (after === undefined) removed.push(key)
    else changed.push(after)
  }
  return `"pets":[${changed.join(',')}],"removed":[${removed.join(',')}]`
}

/** Adds a printed field to the text of an object. */
function addField(object: string, field: string): string {
  const comma = object === '{}' ? '' : ','
  return `${object.slice(0, -1)}${comma}${field}}`
}

function joinLines(lines: readonly string[]): string {
  let length = 0
  for (const line of lines) length += line.length + 1
  const max = MAX_RECORDING_CHARACTERS
  if (length > max) {
    throw new UsageError(
      `The recording, with every animal and fault, would be longer than ${max} characters`,
      507,
    )
  }
  return `${lines.join('\n')}\n`
}
