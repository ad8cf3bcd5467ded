// A state in the storage of its object: the scenario that it started from, in pieces; a row for each animal that was added, changed or
// removed since; a row for each logged request; and a row for the rest.
import { parseJson, toJson } from '../../contract/int64-json.ts'
import type { PetChange } from '../../world/catalogue.ts'
import type { JournalEntry } from '../../world/journal-entry.ts'
import type { Left, WorldRest } from '../../world/world.ts'
import type { Sql } from './platform.ts'

/** A stored state. */
interface Kept {
  /** The scenario that it started from, as JSON. */
  readonly base: string
  readonly left: Left
}

export interface Keep {
  /** The stored state, if there is one. */
  read(): Kept | undefined
  /** Replaces everything with a scenario, and the rest of a state that starts from it. */
  start(base: string, rest: WorldRest): void
  pet(change: PetChange): void
  rest(rest: WorldRest): void
  /** Deletes animals and requests, so that the state is as its scenario has it. */
  reset(rest: WorldRest): void
  /** Adds requests, and deletes those before `oldestId`. */
  requests(entries: readonly JournalEntry[], oldestId: number): void
  clearRequests(rest: WorldRest): void
  /** Of the shared object: the keys that have a sandbox, in alphabetical order. */
  readonly keys: {
    all(): string[]
    count(): number
    /** Returns whether the key is new. */
    add(key: string): boolean
    has(key: string): boolean
    remove(key: string): void
  }
}

/** A row may have two megabytes, and a character three bytes. */
const MAX_PIECE_CHARACTERS = 2 ** 19

/** One table for all parts, since each table takes a page on disk and in memory, and most sandboxes are small. */
const TABLE = 'CREATE TABLE IF NOT EXISTS kept(part TEXT, id, text TEXT, PRIMARY KEY (part, id)) WITHOUT ROWID'

export function createKeep(sql: Sql): Keep {
  const hasTable = () => [...sql.exec('SELECT name FROM sqlite_master WHERE name = ?', 'kept')].length > 0
  const rows = (part: string) => [...sql.exec('SELECT id, text FROM kept WHERE part = ? ORDER BY id', part)]
  const find = (part: string, id: string) => [...sql.exec('SELECT text FROM kept WHERE part = ? AND id = ?', part, id)][0]?.text
  const write = (part: string, id: string | number, text: string | null) =>
    void sql.exec('INSERT OR REPLACE INTO kept VALUES (?, ?, ?)', part, id, text)
  const clear = (part: string) => void sql.exec('DELETE FROM kept WHERE part = ?', part)

  function rest(value: WorldRest): void {
    write('rest', '', toJson({ ...value, keptAt: Date.now() }))
  }

  return {
    read() {
      const text = hasTable() ? find('rest', '') : undefined
      if (typeof text !== 'string') return undefined
      const { keptAt, ...left } = parseJson(text) as unknown as WorldRest & { keptAt: number }
      return {
        base: rows('base')
          .map((row) => row.text)
          .join(''),
        left: {
          rest: left,
          pets: rows('pets')
            .map((row) => ({ id: row.id as string, text: (row.text ?? undefined) as string | undefined }))
            .sort(byId),
          journal: rows('requests').map((row) => JSON.parse(row.text as string) as JournalEntry),
          // The machine's clock may have been set back meanwhile.
          awayMs: Math.max(0, Date.now() - keptAt),
        },
      }
    },
    start(base, value) {
      sql.exec(TABLE)
      clear('base')
      for (const [index, piece] of cutIntoPieces(base).entries()) write('base', index, piece)
      this.reset(value)
    },
    pet: ({ id, text }) => write('pets', id, text ?? null),
    rest,
    reset(value) {
      clear('pets')
      this.clearRequests(value)
    },
    requests(entries, oldestId) {
      for (const entry of entries) write('requests', entry.id, JSON.stringify(entry))
      sql.exec("DELETE FROM kept WHERE part = 'requests' AND id < ?", oldestId)
    },
    clearRequests(value) {
      clear('requests')
      rest(value)
    },
    keys: {
      all: () => (hasTable() ? rows('keys').map(({ id }) => id as string) : []),
      count: () => (hasTable() ? Number([...sql.exec("SELECT count(*) AS n FROM kept WHERE part = 'keys'")][0]?.n) : 0),
      add(key) {
        if (this.has(key)) return false
        sql.exec(TABLE)
        write('keys', key, '')
        return true
      },
      has: (key) => hasTable() && find('keys', key) !== undefined,
      remove: (key) => void sql.exec("DELETE FROM kept WHERE part = 'keys' AND id = ?", key),
    },
  }
}

/** Stored ids are texts. By their number, the animals that the service has added come last, which restores them fastest. */
function byId(one: PetChange, other: PetChange): number {
  return one.id.length - other.id.length
}

/** Never cuts a surrogate pair, since the storage keeps UTF-8. */
function cutIntoPieces(text: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + MAX_PIECE_CHARACTERS, text.length)
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--
    pieces.push(text.slice(at, end))
    at = end
  }
  return pieces
}
