// A storage in memory that understands the SQL of the worker's own statements and refuses any other; node:sqlite needs Node 22.
import type { Sql } from '../../src/hosts/worker/platform.ts'

type Row = Record<string, string | number | null>

interface Table {
  readonly columns: readonly string[]
  /** How many of the columns tell rows apart. */
  readonly keys: number
  rows: Row[]
}

const CREATE = /^CREATE TABLE IF NOT EXISTS (\w+)\((.*?)(?:, PRIMARY KEY \(([\w, ]+)\))?\)(?: WITHOUT ROWID)?$/
const INSERT = /^INSERT (OR REPLACE )?INTO (\w+) VALUES \(\?(?:, \?)*\)$/
const FIND = /^(?:SELECT (.+)|(DELETE)) FROM (\w+)(?: WHERE (.+?))?(?: ORDER BY (\w+))?$/
const CONDITION = /^(\w+) ([=<]) (?:\?|'(\w+)')$/

export function createSql(): { readonly sql: Sql; readonly tables: ReadonlyMap<string, Table>; deleteAll(): Promise<void> } {
  const tables = new Map<string, Table>()

  function create([, name = '', columns = '', keys]: readonly (string | undefined)[]): void {
    if (tables.has(name)) return
    tables.set(name, {
      columns: columns.split(', ').map((column) => column.split(' ')[0] as string),
      keys: keys?.split(', ').length ?? 1,
      rows: [],
    })
  }

  function insert([, replaces, name = '']: readonly (string | undefined)[], values: readonly (string | number | null)[]): void {
    const table = findTable(name)
    const row = Object.fromEntries(table.columns.map((column, index) => [column, values[index] as string | number | null]))
    const isSame = (other: Row) => table.columns.slice(0, table.keys).every((column) => other[column] === row[column])
    if (!replaces && table.rows.some(isSame)) throw new Error(`UNIQUE constraint failed: ${name}`)
    table.rows = [...table.rows.filter((other) => !isSame(other)), row]
  }

  function find([, what, deletes, name = '', where, order]: readonly (string | undefined)[], values: readonly unknown[]): Row[] {
    if (name === 'sqlite_master') return [...tables.keys()].filter((table) => table === values[0]).map((table) => ({ name: table }))
    const table = findTable(name)
    let used = 0
    const conditions = (where?.split(' AND ') ?? []).map((text) => {
      const [, column = '', operator, literal] = CONDITION.exec(text) ?? fail(text)
      const value = (literal ?? values[used++]) as string | number
      return (row: Row) => (operator === '=' ? row[column] === value : (row[column] as number) < (value as number))
    })
    const found = table.rows.filter((row) => conditions.every((fits) => fits(row)))
    if (deletes) table.rows = table.rows.filter((row) => !found.includes(row))
    if (what?.startsWith('count(')) return [{ n: found.length }]
    if (order !== undefined) found.sort((one, other) => ((one[order] as number) < (other[order] as number) ? -1 : 1))
    return deletes ? [] : found
  }

  const findTable = (name: string) => tables.get(name) ?? fail(`no such table: ${name}`)

  return {
    tables,
    sql: {
      exec(query, ...values) {
        const made = CREATE.exec(query)
        if (made) create(made)
        const inserted = INSERT.exec(query)
        if (inserted) insert(inserted, values)
        if (made || inserted) return []
        return find(FIND.exec(query) ?? fail(query), values)
      },
    },
    async deleteAll() {
      tables.clear()
    },
  }
}

function fail(what: string): never {
  throw new Error(`SQL error: ${what}`)
}
