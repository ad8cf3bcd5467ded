// A world in the storage of its object: the scenario that it started from, in pieces; one row for each animal that was added, changed or
// removed since; one small row for the rest; and the journal. Whatever is written in one turn is written whole or not at all.
import { parseJson, toJson } from '../../contract/int64-json.ts'
import type { PetChange } from '../../world/catalogue.ts'
import type { JournalEntry } from '../../world/journal-entry.ts'
import type { Left, WorldRest } from '../../world/world.ts'
import type { Sql } from './platform.ts'

/** A world as it was kept. */
interface Kept {
  /** The scenario that it started from, as JSON. */
  readonly base: string
  readonly left: Left
  /** Whether the sandbox is on the list of the shared object. */
  readonly isListed: boolean
}

export interface Keep {
  /** What was kept, if anything was. */
  read(): Kept | undefined
  /** Starts anew: nothing but a scenario, and the rest of a world that starts from it. */
  start(base: string, rest: WorldRest): void
  pets(changes: readonly PetChange[]): void
  rest(rest: WorldRest): void
  /** Forgets animals and journal: the world is as its scenario has it. */
  reset(rest: WorldRest): void
  /** Adds entries to the journal, and forgets those before `oldestId`, as far as their whole batch is. */
  journal(entries: readonly JournalEntry[], oldestId: number): void
  clearJournal(rest: WorldRest): void
  listed(): void
  /** Of the shared object: the keys that have a sandbox, the first one first. */
  readonly keys: {
    all(): string[]
    count(): number
    /** Whether it was not there yet. */
    add(key: string): boolean
    has(key: string): boolean
    remove(key: string): void
  }
}

/** A row may have two megabytes, and a character three bytes. */
const MAX_PIECE_CHARACTERS = 2 ** 19

/** Of the texts of a batch, which may grow sixfold in JSON, and of the rest of each. */
const MAX_BATCH_CHARACTERS = 2 ** 17
const ENTRY_CHARACTERS = 2_000

/**
 * One table for all parts of a world: each would take a page on disk and in memory, and most worlds are small. What a row is told by is
 * a text, or for pieces and for the journal, whose rows are batches named after their last entry, a number.
 */
const TABLE = 'CREATE TABLE IF NOT EXISTS world(part TEXT, id, text TEXT, PRIMARY KEY (part, id)) WITHOUT ROWID'
const PETS = "INSERT OR REPLACE INTO world SELECT 'pets', value ->> 0, value ->> 1 FROM json_each(?)"
const LIST = 'CREATE TABLE IF NOT EXISTS keys(key TEXT UNIQUE)'

export function createKeep(sql: Sql): Keep {
  const has = (table: string) => [...sql.exec('SELECT name FROM sqlite_master WHERE name = ?', table)].length > 0
  const rows = (part: string) => [...sql.exec('SELECT id, text FROM world WHERE part = ? ORDER BY id', part)]
  const write = (part: string, id: string | number, text: string | null) =>
    void sql.exec('INSERT OR REPLACE INTO world VALUES (?, ?, ?)', part, id, text)
  const clear = (part: string) => void sql.exec('DELETE FROM world WHERE part = ?', part)
  let hasKeys: boolean | undefined
  const isList = () => {
    hasKeys ??= has('keys')
    return hasKeys
  }

  /** Several in one statement, each of which costs as much as the reading of a body; a long text alone, which would not fit into JSON. */
  function writePets(changes: readonly PetChange[]): void {
    const rows = changes.map(({ id, text }) => [id, text ?? null] as const)
    const [[id, text] = ['', null], ...more] = rows
    if (more.length === 0) write('pets', id, text)
    else sql.exec(PETS, JSON.stringify(rows))
  }

  function rest(value: WorldRest): void {
    write('facts', 'rest', toJson({ ...value, keptAt: Date.now() }))
  }

  return {
    read() {
      if (!has('world')) return undefined
      const facts = new Map(rows('facts').map(({ id, text }) => [id, text as string]))
      const { keptAt, ...left } = parseJson(facts.get('rest') as string) as unknown as WorldRest & { keptAt: number }
      return {
        base: rows('base')
          .map(({ text }) => text)
          .join(''),
        isListed: facts.has('listed'),
        left: {
          rest: left,
          pets: rows('pets')
            .map(({ id, text }) => ({ id: id as string, text: (text ?? undefined) as string | undefined }))
            .sort(byId),
          journal: rows('journal').flatMap(({ text }) => JSON.parse(text as string) as JournalEntry[]),
          // The machine's clock may have been put back meanwhile.
          awayMs: Math.max(0, Date.now() - keptAt),
        },
      }
    },
    start(base, value) {
      sql.exec(TABLE)
      clear('base')
      for (const [index, piece] of toPieces(base).entries()) write('base', index, piece)
      this.reset(value)
    },
    pets(changes) {
      for (const batch of toBatches(changes, sizeOfChange)) writePets(batch)
    },
    rest,
    reset(value) {
      clear('pets')
      this.clearJournal(value)
    },
    journal(entries, oldestId) {
      for (const batch of toBatches(entries, sizeOfEntry)) write('journal', (batch.at(-1) as JournalEntry).id, JSON.stringify(batch))
      sql.exec("DELETE FROM world WHERE part = 'journal' AND id < ?", oldestId)
    },
    clearJournal(value) {
      clear('journal')
      rest(value)
    },
    listed: () => write('facts', 'listed', '1'),
    keys: {
      all: () => (isList() ? [...sql.exec('SELECT key FROM keys ORDER BY rowid')].map(({ key }) => key as string) : []),
      count: () => (isList() ? Number([...sql.exec('SELECT count(*) AS n FROM keys')][0]?.n) : 0),
      add(key) {
        if (this.has(key)) return false
        sql.exec(LIST)
        hasKeys = true
        sql.exec('INSERT INTO keys VALUES (?)', key)
        return true
      },
      has: (key) => isList() && [...sql.exec('SELECT key FROM keys WHERE key = ?', key)].length > 0,
      remove: (key) => void (isList() && sql.exec('DELETE FROM keys WHERE key = ?', key)),
    },
  }
}

/** As they were added, mostly, since they come in the order of their texts: an animal that comes after all others is added fastest. */
function byId(one: PetChange, other: PetChange): number {
  return one.id.length - other.id.length
}

const sizeOfEntry = ({ request, response }: JournalEntry) => request.body.length + response.body.length
const sizeOfChange = ({ id, text = '' }: PetChange) => id.length + text.length

/** Several make a row or a statement, since each costs as much as its request; so few that they fit, and one that is too long alone. */
function toBatches<T>(all: readonly T[], sizeOf: (one: T) => number): T[][] {
  const batches: T[][] = []
  let characters = Number.POSITIVE_INFINITY
  for (const one of all) {
    const size = sizeOf(one)
    if (characters + size > MAX_BATCH_CHARACTERS) {
      batches.push([])
      characters = 0
    }
    batches.at(-1)?.push(one)
    characters += size + ENTRY_CHARACTERS
  }
  return batches
}

/** Never within a pair of surrogates: the storage keeps UTF-8. */
function toPieces(text: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + MAX_PIECE_CHARACTERS, text.length)
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--
    pieces.push(text.slice(at, end))
    at = end
  }
  return pieces
}
