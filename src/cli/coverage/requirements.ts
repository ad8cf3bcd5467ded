// Whether coverage is enough: what `--require` and `--min` ask for.
import { UsageError } from '../../contract/errors.ts'
import { suggest } from '../../contract/suggest.ts'
import type { Counts } from '../../service/coverage.ts'
import type { Report } from './report.ts'

export type Check = Readonly<{ requirement: string; problem?: string }>

export function checkRequirements(
  cells: Counts,
  report: Report,
  required: readonly string[],
  min?: number,
): Check[] {
  const known = Object.keys(cells)
  const unknown = required.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new UsageError(unknown.map((name) => explainUnknown(name, known)))
  const checks: Check[] = []
  const add = (requirement: string, isMet: boolean, problem: string) => {
    checks.push(isMet ? { requirement } : { requirement, problem })
  }
  const { requests, tried, total, percent } = report
  if (requests === 0)
    add('requests', false, 'no request was counted: did the tests call this mock?')
  for (const name of required) add(`--require ${name}`, cells[name] !== 0, 'was never tried')
  // Compared exactly, since the printed percentage is rounded.
  if (min !== undefined)
    add(`--min ${min}`, 100 * tried >= min * total, `only ${percent}% of the cells were tried`)
  return checks
}

function explainUnknown(name: string, known: readonly string[]): string {
  const [operation = '', ...parts] = name.split('.')
  const part = parts.join('.')
  const prefix = `${operation}.`
  const own = known.filter((cell) => cell.startsWith(prefix))
  if (own.length > 0) {
    const hint = suggest(
      part,
      own.map((cell) => cell.slice(prefix.length)),
    )
    return `--require: ${operation} has no cell ${JSON.stringify(part)}; ${hint}`
  }
  const hint = suggest(name, known, `expected a cell such as ${known.slice(0, 2).join(' or ')}`)
  return `--require: there is no cell ${JSON.stringify(name)}; ${hint}`
}
