// The storage of an object: the origin of its state, as a scenario in pieces; a row for each animal
// that differs; a row for each row of the timeline; a row for the settings; and in the shared
// object a row for each sandbox.
import type { Int64 } from '../../contract/generated/contract.ts'
import { parseInt64, parseJson, toJson } from '../../contract/int64-json.ts'
import type { SavedRow } from '../../world/saved-row.ts'
import type { SavedState } from '../../world/saved-state.ts'

export type Storage = ReturnType<typeof createStorage>
type StoredSettings = Required<SavedState> & { readonly lastId: number; readonly keptAt: number }
type Value = string | number | null
type StoredRow = Readonly<Record<string, Value>>

export interface ObjectState {
  readonly storage: {
    /** Writes in one turn of the event loop are atomic, and on disk before a response leaves. */
    readonly sql: {
      exec(query: string, ...values: readonly Value[]): Iterable<StoredRow>
    }
    deleteAll(): Promise<void>
  }
  /** Delays every other request to the object until the promise has settled. */
  blockConcurrencyWhile<T>(run: () => Promise<T>): Promise<T>
  /** Ends the object; the next request starts it again from its storage. */
  abort(reason: string): void
}

/**
 * A row may have two megabytes, and a character four bytes. With `u`, a piece never ends inside a
 * character.
 */
const PIECES = /.{1,500000}/gsu
/**
 * One table for all parts, since each table takes a page on disk and in memory, and most sandboxes
 * are small.
 */
const TABLE =
  'CREATE TABLE IF NOT EXISTS kept(part TEXT, id, text TEXT, PRIMARY KEY (part, id)) WITHOUT ROWID'

export function createStorage(state: ObjectState) {
  /**
   * An object whose storage fails must not go on: it ends, and starts again from what it has
   * written.
   */
  function exec(query: string, ...values: readonly Value[]) {
    try {
      return state.storage.sql.exec(query, ...values)
    } catch (error) {
      state.abort(`The storage failed: ${(error as Error).message}`)
      throw error
    }
  }

  function hasTable(): boolean {
    const tables = exec('SELECT name FROM sqlite_master WHERE name = ?', 'kept')
    return [...tables].length > 0
  }

  function rows(part: string, where = '', ...values: string[]) {
    if (!hasTable()) return []
    const query = `SELECT id, text FROM kept WHERE part = ? ${where} ORDER BY id`
    return [...exec(query, part, ...values)]
  }

  function write(part: string, id: string | number, text: string | null): void {
    exec('INSERT OR REPLACE INTO kept VALUES (?, ?, ?)', part, id, text)
  }

  return {
    read() {
      const [row] = rows('settings')
      if (!row) return undefined
      const settings = parseJson(row.text as string) as unknown as StoredSettings
      const pieces = rows('base').map((piece) => piece.text)
      const pets = rows('pets').map(readPet)
      pets.sort(compareKeys)
      const saved = rows('rows').map((one) => JSON.parse(one.text as string) as SavedRow)
      return { originText: pieces.join(''), settings, pets, rows: saved }
    },
    /** Another origin, which is stored as `base`; it comes first in a new storage. */
    writeOrigin(text: string): void {
      exec(TABLE)
      exec("DELETE FROM kept WHERE part IN ('base', 'pets')")
      const pieces = text.match(PIECES) ?? []
      for (const [index, piece] of pieces.entries()) write('base', index, piece)
    },
    writePet: (id: Int64, text: string | undefined) => write('pets', String(id), text ?? null),
    writeSettings: (settings: StoredSettings) => write('settings', '', toJson(settings)),
    writeRows(added: readonly SavedRow[], oldestId: number): void {
      for (const row of added) write('rows', row.id, JSON.stringify(row))
      exec("DELETE FROM kept WHERE part = 'rows' AND id < ?", oldestId)
    },
    keys: () => rows('keys').map((one) => one.id as string),
    hasKey: (key: string) => rows('keys', 'AND id = ?', key).length > 0,
    addKey(key: string): void {
      exec(TABLE)
      write('keys', key, '')
    },
    removeKey(key: string): void {
      exec("DELETE FROM kept WHERE part = 'keys' AND id = ?", key)
    },
  }
}

function readPet(stored: StoredRow) {
  return { key: parseInt64(`${stored.id}`) as Int64, after: stored.text?.toString() }
}

type StoredPet = ReturnType<typeof readPet>

/** The keys of two stored animals differ. */
function compareKeys(one: StoredPet, other: StoredPet): number {
  return one.key < other.key ? -1 : 1
}
