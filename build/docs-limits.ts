// The table of limits, from their constants and doc comments.
import * as limits from '../src/contract/limits.ts'
import { readDeclarations } from './docs-source.ts'
import type { Row } from './markdown.ts'

/** The limits that people meet. */
const MET: readonly string[] = [
  'MAX_BODY_BYTES',
  'MAX_DELAY_MS',
  'MAX_LOG_ROWS',
  'MAX_LOGGED_BODY_CHARACTERS',
  'MAX_SANDBOXES',
  'MAX_PETS_PER_REQUEST',
  'MAX_DOCUMENT_BYTES',
  'MAX_FAULTS',
  'MIN_TOKEN_CHARACTERS',
  'STOP_TIMEOUT_MS',
] satisfies (keyof typeof limits)[]

const SIZES: Readonly<Record<string, number>> = { GiB: 2 ** 30, MiB: 2 ** 20, KiB: 2 ** 10 }
const values: Readonly<Record<string, number>> = limits

export function listLimits(): readonly Row[] {
  const { exported } = readDeclarations('contract/limits.ts')
  const rows: Row[] = [['limit', 'value']]
  for (const name of MET) {
    const found = exported.find((one) => one.name === name)
    if (!found) throw new Error(`There is no limit ${name}`)
    rows.push([found.comment, describeLimit(name, values[name] ?? 0)])
  }
  return rows
}

/** `1 MiB`, `30 s`, `1,000`. */
function describeLimit(name: string, value: number): string {
  const size = Object.entries(SIZES).find(([, bytes]) => value >= bytes)
  if (name.endsWith('_BYTES') && size) return `${value / size[1]} ${size[0]}`
  if (name.endsWith('_MS')) return `${value / 1000} s`
  const [, unit] = /_(CHARACTERS|SECONDS)$/.exec(name) ?? []
  const number = value.toLocaleString('en')
  return unit === undefined ? number : `${number} ${unit.toLowerCase()}`
}
