// The timeline of one state: a row for every change that the control makes, and the ways back. Every method is wrapped, and the items of the
// state show whether it changed something, so that none can be left out.
import { describeKey } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { checkValue, type Schema } from '../contract/schema.ts'
import type { Int64 } from '../generated/contract.ts'
import { type Change, type ChangeRow, isChange } from '../world/change.ts'
import { cutLine } from '../world/log-entry.ts'
import type { Start } from '../world/start.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import { describeChange } from './describe-change.ts'
import type { ControlMethod } from './methods.ts'

/** What a method says about its own change. */
type Told = Pick<Change, 'text'> & Partial<Pick<Change, 'undoes' | 'subject' | 'isUndo'>>

/** Items that only count. An undo puts them back without asking whether they have changed since, but no id is given out twice. */
const COUNTERS = ['count', 'random', 'calls']
const IDS = ['next-id', 'last-fault-id']
const kindOf = (item: string) => item.split(' ', 1)[0] as string
export const rowIdSchema: Schema = { type: 'integer', minimum: 1 }

/** Changes that no item shows. */
const SAYS: Partial<Record<ControlMethod, (result: never, args: readonly unknown[]) => string>> = {
  load: ({ scenario }: { scenario: string }) => `loaded ${scenario}`,
  reset: ({ scenario }: { scenario: string }) => `reset to ${scenario}`,
  clearRequests: () => 'request log cleared',
  removeSandbox: (_, [key]) => `sandbox ${describeKey(String(key))} removed`,
}
/** They add their own rows: a load may begin later. */
const RECORDED: readonly string[] = ['load', 'undo', 'rewind'] satisfies ControlMethod[]

export type Timeline = ReturnType<typeof createTimeline>

export function createTimeline(worlds: Worlds, key: string | undefined, onChange: (row: ChangeRow) => void) {
  /** Runs a method and adds a row for what it changed; no row if that is nothing, unless the row is told. */
  function addRow<T>(method: string, run: () => T, tell: (result: T) => Told | undefined): { result: T; row: ChangeRow | undefined } {
    const old = worlds.has(key) ? worlds.peek(key) : undefined
    const revision = old?.changeLog.revision ?? 0
    // Before it: a change may turn the clock.
    const [at, realAt] = [worlds.peek(key).clock.now(), worlds.realTime()]
    const result = run()
    const world = worlds.peek(key)
    const isStart = world !== old && (old !== undefined || worlds.past(key).size > 0)
    const before = isStart ? new Map() : world.changeLog.between(revision)
    const told = result === false ? undefined : tell(result)
    if (!isStart && before.size === 0 && !told) return { result, row: undefined }
    const { changed, text: said } = describeChange(world.changeLog, before)
    const { text = said, undoes = null, subject = text, isUndo = false } = told ?? {}
    const change: Change = {
      type: 'change',
      id: 0,
      at,
      realAt,
      method,
      changed,
      text: cutLine(text, world.requestLog),
      undoes,
      subject,
      isUndo,
      isStart,
    }
    world.requestLog.add(change)
    const row = world.requestLog.show(change)
    onChange(row)
    return { result, row }
  }

  function record<T>(method: string, run: () => T, args: readonly unknown[] = []): T {
    const say = SAYS[method as ControlMethod]
    return addRow(method, run, (result) => say && { text: say(result as never, args) }).result
  }

  /** The methods of a control, each with a row for what it changes. */
  function withRows<T extends object>(control: T, prefix = ''): T {
    const wrap = ([name, member]: [string, unknown]) => {
      if (typeof member === 'object') return [name, withRows(member as object, `${name}.`)]
      const run = member as (...args: readonly unknown[]) => unknown
      const method = prefix + name
      return [name, RECORDED.includes(method) ? run : (...args: readonly unknown[]) => record(method, () => run(...args), args)]
    }
    return { ...control, ...Object.fromEntries(Object.entries(control).map(wrap)) }
  }

  /** A row of this state that can be gone back to. */
  function find(id: number) {
    checkValue(rowIdSchema, id, 'id')
    const world = worlds.peek(key)
    const found = world.requestLog.find(id)
    if (found && world.changeLog.knows(found.from)) return { ...found, world }
    if (found) throw new UsageError(`Row ${id} is too old: the state before it is no longer known, or was so only until a restart`, 409)
    for (const [other, { requestLog }] of worlds.all()) {
      if (requestLog.find(id))
        throw new UsageError(`Row ${id} belongs to ${other === undefined ? 'the shared state' : `the sandbox ${other}`}`, 409)
    }
    for (const [by, { world: old }] of worlds.past(key)) {
      if (old.requestLog.find(id)) throw new UsageError(`Row ${id} belongs to the state that row ${by} replaced; undo ${by} first`, 409)
    }
    if (id > world.requestLog.lastId) throw new UsageError(`There is no row ${id}`, 404)
    throw new UsageError(`Row ${id} is no longer in the log`, 409)
  }

  function bringBack(id: number): void {
    if (!worlds.bringBack(id, key)) throw new UsageError(`The state before row ${id} is no longer kept`, 409)
  }

  /** The latest change that is not undone. */
  function findLast(world: World): number {
    const undone = new Set<number>()
    for (const { id, undoes, isStart, isUndo } of world.requestLog.changes()) {
      const row = world.requestLog.find(id)
      const hasItems = row !== undefined && row.from < row.to
      if (undone.has(id)) continue
      if (isUndo) undone.add(undoes as number)
      // A redo is taken back itself: what a load replaced is kept for the last of them.
      else if (isStart || hasItems) return id
    }
    throw new UsageError('There is no change to undo', 409)
  }

  /** Puts the items that a change touched back, if nothing else has changed them since. */
  function takeBack({ changeLog }: World, id: number, from: number, to: number): void {
    const old = changeLog.between(from, to)
    if (old.size === 0) throw new UsageError(`Row ${id} cannot be undone`, 409)
    for (const [item, value] of changeLog.between(to)) {
      const isCounter = COUNTERS.includes(kindOf(item)) || IDS.includes(kindOf(item))
      // The counts of a fault are not those of another under its id.
      const isTouched = old.has(item) || old.has(item.replace(/^fault /, 'count '))
      if (!isCounter && isTouched && value !== changeLog.get(item)) {
        throw new UsageError(`${item} has changed since row ${id}; undo that first, or rewind to before row ${id}`, 409)
      }
    }
    for (const [item, value] of old) {
      const now = changeLog.get(item) as Int64
      if (!IDS.includes(kindOf(item)) || now < (value as Int64)) changeLog.set(item, value)
    }
  }

  return {
    record,
    withRows,
    /** Takes one change back, and leaves what happened since. */
    undo(given?: number): ChangeRow {
      const { row, from, to, world } = find(given ?? findLast(worlds.peek(key)))
      const { id } = row
      if (!isChange(row)) throw new UsageError(`Row ${id} is a request; undo takes back changes, and rewind goes back to before it`, 409)
      const { subject, isStart } = row
      const isUndo = !row.isUndo
      const told = { text: `${isUndo ? 'undid' : 'redid'}: ${subject}`, subject, isUndo, undoes: id }
      const run = () => (isStart ? bringBack(id) : worlds.change(key, () => takeBack(world, id, from, to)))
      return addRow('undo', run, () => told).row as ChangeRow
    },
    /** Goes back to the state before a row, as a whole. */
    rewind(id: number): ChangeRow {
      const { row, from, world } = find(id)
      const putBack = ({ changeLog }: World) => {
        for (const [item, value] of world.changeLog.between(from)) changeLog.set(item, value)
      }
      const run = () => (isChange(row) && row.isStart ? bringBack(id) : worlds.change(key, putBack))
      return addRow('rewind', run, () => ({ text: `went back to before row ${id}` })).row as ChangeRow
    },
    /** The state before a row, to look at, and the moment of the row. */
    before(id: number): { readonly world: World; readonly start: Start; readonly now: string } {
      const { row, from, world } = find(id)
      const isStart = isChange(row) && row.isStart
      const slot = isStart ? worlds.past(key).get(id) : { world, start: worlds.start(key) }
      if (!slot) throw new UsageError(`The state before row ${id} is no longer kept`, 409)
      const revision = isStart ? slot.world.changeLog.revision : from
      return { world: worlds.lookBack(slot.world, slot.start, revision), start: slot.start, now: new Date(row.at).toISOString() }
    },
  }
}
