// A recording: the timeline as JSON Lines, made when someone asks for it. The first line says what
// it is; then come origins, faults, the first known state of each sandbox, and rows with what each
// changed.
import { UsageError } from '../../contract/errors.ts'
import { version } from '../../contract/generated/version.ts'
import { toJson } from '../../contract/int64-json.ts'
import { MAX_RECORDING_CHARACTERS } from '../../contract/limits.ts'
import { compareCatalogues } from '../../world/catalogue.ts'
import { printInstant, type Times } from '../../world/clock.ts'
import type { CountedFault } from '../../world/faults.ts'
import { stateAfter } from '../../world/log.ts'
import { redactFault } from '../../world/redact.ts'
import { saveRow } from '../../world/saved-row.ts'
import { printOrigin, saveState } from '../../world/saved-state.ts'
import { baseOf, type Origin, type State, withoutKeys } from '../../world/state.ts'
import type { World } from '../../world/world.ts'
import { nameSandbox, RECORDING_FORMAT } from './schema.ts'

/** The first of the worlds is written as the shared one. */
export function writeRecording(worlds: readonly World[], { real, steady }: Times): string {
  const [realNow, steadyNow] = [real(), steady()]
  const times = { real: () => realNow, steady: () => steadyNow }
  const nameOf = (world: World) => (world === worlds[0] ? undefined : nameSandbox(world.number))
  const placed = worlds.flatMap((world) => {
    const own = world.timeline.rows({ waiting: true })
    return own.map((row, at) => ({ world, row, after: stateAfter(own, at, world.state) }))
  })
  const rows = placed.sort((one, other) => one.row.id - other.row.id)
  const amounts = { rows: rows.length, sandboxes: worlds.length - 1 }
  const lines = [
    toJson({ format: RECORDING_FORMAT, version, madeAt: printInstant(realNow), ...amounts }),
  ]
  const origins = new Map<Origin, number>()
  const faults = new Map<CountedFault['fault'], number>()
  const started = new Set<World>()

  /**
   * The number of an origin or a fault. Its first use writes a line, since a fault may hold a large
   * response.
   */
  function number<T>(numbers: Map<T, number>, value: T, print: () => string): number {
    if (!numbers.has(value)) lines.push(print())
    numbers.set(value, numbers.get(value) ?? numbers.size + 1)
    return numbers.get(value) as number
  }

  /**
   * All settings, and the animals that differ from those before, or from the start of another
   * origin.
   */
  function describe(state: State, before?: State): string {
    const { scenario, ...others } = saveState(withoutKeys(state), times)
    const origin = number(
      origins,
      state.origin,
      () => `{"origin":${printOrigin(hide(state.origin))}}`,
    )
    const nth = (fault: CountedFault['fault']) =>
      number(faults, fault, () => toJson({ fault: redactFault(fault) }))
    const counts = state.faults.map(({ fault, seen, applied }) => [nth(fault), seen, applied])
    const settings = toJson({
      ...others,
      scenario: { ...scenario, faults: undefined },
      origin,
      faults: counts,
    })
    const pets = compareCatalogues(baseOf(state.origin, before).catalogue, state.catalogue)
    const changed = pets.flatMap((pet) => pet.after ?? [])
    const removed = pets.flatMap((pet) => (pet.after === undefined ? pet.key : []))
    return `"state":${addField(settings, `"pets":[${changed.join()}],"removed":[${removed.join()}]`)}`
  }

  function start(world: World, state: State): void {
    if (!started.has(world))
      lines.push(addField(toJson({ sandbox: nameOf(world) }), describe(state)))
    started.add(world)
  }

  for (const { world, row, after } of rows) {
    if (row.before) start(world, row.before)
    const { sandbox, ...saved } = saveRow(row, null)
    const line = toJson({ sandbox: nameOf(world), row: saved })
    lines.push(
      row.before && row.before !== after ? addField(line, describe(after, row.before)) : line,
    )
  }
  for (const world of worlds) start(world, world.state)
  const max = MAX_RECORDING_CHARACTERS
  if (lines.reduce((sum, { length }) => sum + length + 1, 0) <= max) return `${lines.join('\n')}\n`
  throw new UsageError(
    `The recording, with every animal and fault, would be longer than ${max} characters`,
    507,
  )
}

const hide = (origin: Origin) =>
  withoutKeys({
    ...origin,
    faults: origin.faults.map((one) => ({ ...one, fault: redactFault(one.fault) })),
  })
const addField = (object: string, field: string) =>
  `${object.slice(0, -1)}${object === '{}' ? '' : ','}${field}}`
