// A state in the storage of its object: the scenario that it started from, in pieces; a row for each animal that was added, changed or
// removed since; a row for each logged request; and a row for the settings.
import { parseInt64, parseJson, toJson } from '../../contract/int64-json.ts'
import type { Int64 } from '../../generated/contract.ts'
import type { ChangeRow } from '../../world/change.ts'
import type { LogEntry } from '../../world/log-entry.ts'
import type { ReadScenario } from '../../world/scenario.ts'
import type { Sql } from './platform.ts'

export type Keep = ReturnType<typeof createKeep>

/** A state without its animals, and what a scenario does not say. */
export interface KeptSettings {
  readonly scenario: ReadScenario
  readonly lastFaultId: number
  readonly wasTurned: boolean
  /** The id of the last row of the timeline. */
  readonly lastId: number
  /** When it was written, by the clock of the machine. */
  readonly keptAt: number
}

/** A row may have two megabytes, and a character four bytes. With `u`, a piece never ends inside a character. */
const PIECES = /.{1,500000}/gsu

/** One table for all parts, since each table takes a page on disk and in memory, and most sandboxes are small. */
const TABLE = 'CREATE TABLE IF NOT EXISTS kept(part TEXT, id, text TEXT, PRIMARY KEY (part, id)) WITHOUT ROWID'

export function createKeep(sql: Sql) {
  const hasTable = () => [...sql.exec('SELECT name FROM sqlite_master WHERE name = ?', 'kept')].length > 0
  const rows = (part: string) => (hasTable() ? [...sql.exec('SELECT id, text FROM kept WHERE part = ? ORDER BY id', part)] : [])
  const write = (part: string, id: string | number, text: string | null) =>
    void sql.exec('INSERT OR REPLACE INTO kept VALUES (?, ?, ?)', part, id, text)

  return {
    /** The stored state, if there is one, and the scenario that it started from, as JSON. */
    read() {
      const [row] = rows('settings')
      if (!row) return undefined
      return {
        base: rows('base')
          .map(({ text }) => text)
          .join(''),
        settings: parseJson(row.text as string) as unknown as KeptSettings,
        pets: rows('pets')
          .map(({ id, text }) => ({ id: parseInt64(id as string) as Int64, text: (text ?? undefined) as string | undefined }))
          .sort((one, other) => (one.id < other.id ? -1 : 1)),
        rows: rows('requests').map(({ text }) => JSON.parse(text as string) as LogEntry | ChangeRow),
      }
    },
    base(text: string): void {
      for (const [index, piece] of (text.match(PIECES) ?? []).entries()) write('base', index, piece)
    },
    /** The text of an animal; without one it was removed. */
    pet: (id: Int64, text: string | undefined) => write('pets', String(id), text ?? null),
    settings: (settings: KeptSettings) => write('settings', '', toJson(settings)),
    /** Adds rows of the request log, and deletes those before `oldestId`. */
    requests(added: readonly (LogEntry | ChangeRow)[], oldestId: number): void {
      for (const row of added) write('requests', row.id, JSON.stringify(row))
      sql.exec("DELETE FROM kept WHERE part = 'requests' AND id < ?", oldestId)
    },
    /** Deletes parts of the state; a new state starts with it. */
    clear(...parts: ('base' | 'pets' | 'requests')[]): void {
      sql.exec(TABLE)
      for (const part of parts) sql.exec('DELETE FROM kept WHERE part = ?', part)
    },
    /** Of the shared object: the keys that have a sandbox, in alphabetical order. */
    keys: {
      all: () => rows('keys').map(({ id }) => id as string),
      add(key: string): void {
        sql.exec(TABLE)
        write('keys', key, '')
      },
      has: (key: string) => hasTable() && [...sql.exec("SELECT id FROM kept WHERE part = 'keys' AND id = ?", key)].length > 0,
      remove: (key: string) => void sql.exec("DELETE FROM kept WHERE part = 'keys' AND id = ?", key),
    },
  }
}
