// The report for a terminal: a table to read in ten seconds, then what is worth asking.
import { countTried, type OperationReport, type QuestionReport, type Report, type ReportRow } from './report.ts'
import { toTimes, type Verdict } from './rules.ts'

/** Names of tests that are listed for one question. */
const MAX_TESTS = 5

/** `fileCount`: how many files it was read from; old ones among them are noticed by their number. */
export function toText(report: Report, verdicts: readonly Verdict[], fileCount = 1): string {
  const summary = `${toSummary(report)}${fileCount > 1 ? `, from ${fileCount} files` : ''}`
  return [summary, toTable(report), toBeside(report), toVerdicts(verdicts), toQuestions(report)]
    .filter((part) => part !== '')
    .map((part) => `${part}\n`)
    .join('\n')
}

export function toSummary({ contract, tried, total, percent, requests }: Report): string {
  return `Coverage of ${contract}: ${tried} of ${total} cells (${percent}%), ${requests} request${requests === 1 ? '' : 's'}`
}

function toTable({ operations }: Report): string {
  const lines = [['', 'tried', 'not tried'], ...operations.flatMap(toLines)]
  const widths = [0, 1].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function toLines(operation: OperationReport): string[][] {
  const { id, tried, total, rows } = operation
  return [[id, `${tried}/${total}`, describeOperation(operation)], ...rows.map(toLine)]
}

/** What is to be known about a whole operation; empty if nothing is. */
export function describeOperation({ isDeprecated, calls }: OperationReport): string {
  if (isDeprecated) return 'deprecated, not in the percentage'
  return calls === 0 ? 'never called' : ''
}

function toLine(row: ReportRow): string[] {
  const { name, cells } = row
  return [`  ${name}`, `${countTried(cells)}/${cells.length}`, findMissing(row).join(', ')]
}

/** The cells that were not tried; the one of the call has the name of its row, which says enough. */
export function findMissing({ name, cells }: ReportRow): string[] {
  return cells.filter((cell) => cell.count === 0 && cell.name !== name).map((cell) => cell.name)
}

export function toResponses(count: number): string {
  return `${count} response${count === 1 ? '' : 's'}`
}

/** One line for each kind, in the words of every format. */
export function describeBeside({ faults, deprecated, undocumented, nearMisses }: Report): [name: string, text: string][] {
  const counted = (some: readonly { readonly name: string; readonly count: number }[]) =>
    some.map(({ name, count }) => `${name} ×${count}`).join(', ')
  const lines: [string, string][] = [
    ['Faults', faults.map((fault) => `${fault.name} ×${fault.count} (${describeRetry(fault)})`).join(', ')],
    ['Deprecated calls', counted(deprecated)],
    ['Undocumented responses', counted(undocumented)],
    ['Near misses', counted(nearMisses)],
  ]
  return lines.filter(([, text]) => text !== '')
}

/** A response that is only late needs no second request. */
function describeRetry({ name, retried }: Report['faults'][number]): string {
  return retried > 0 ? `retried ${toTimes(retried)}` : name.endsWith(' delay') ? 'waited for' : 'never retried'
}

function toBeside(report: Report): string {
  return describeBeside(report)
    .map(([name, text]) => `${name}: ${text}`)
    .join('\n')
}

function toVerdicts(verdicts: readonly Verdict[]): string {
  return verdicts.map(({ rule, problem }) => (problem === undefined ? `✓ ${rule}` : `✗ ${rule}: ${problem}`)).join('\n')
}

/** Also where there are none, so that nobody wonders. */
function toQuestions({ questions }: Report): string {
  const text = questions.length === 0 ? ['  Nothing: no response depended on what the spec leaves open.'] : questions.map(toQuestion)
  return ['Ask the owner of the API', ...text].join('\n')
}

function toQuestion(question: QuestionReport): string {
  return [
    `  ${question.question}`,
    `    ${describeUse(question)}`,
    `    ${question.choices.map(({ name, count }) => (count > 0 ? `[${name}]` : name)).join(' · ')}`,
  ].join('\n')
}

/** Whatever a test is called, it forges no line of the report. */
function toOneLine(name: string): string {
  return name.replace(/\s+/g, ' ')
}

/** `list-order: 12 responses of listPets, in 3 tests: a, b and c`. */
export function describeUse({ id, count, operations, tests }: QuestionReport): string {
  const where = operations.map(({ name }) => name).join(', ')
  const shown =
    tests.slice(0, MAX_TESTS).map(toOneLine).join('; ') + (tests.length > MAX_TESTS ? `; and ${tests.length - MAX_TESTS} more` : '')
  return `${id}: ${toResponses(count)} (${where})${tests.length === 0 ? '' : `, in ${shown}`}`
}
