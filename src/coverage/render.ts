// A report as text for a terminal, and as Markdown for CI summaries and comments on pull requests.
import type { QuestionReport, Report, Verdict } from './report.ts'

const ASK = 'Ask the owner of the API'
const NOTHING_TO_ASK = 'Nothing: no response depended on what the spec leaves open.'
const HEAD = ['', 'tried', 'not tried']

/** `fileCount` tells the reader when old files were read too. */
export function renderText(report: Report, verdicts: readonly Verdict[], fileCount = 1): string {
  const lines = report.operations.flatMap(({ id, tried, total, note, rows }) => [
    [id, `${tried}/${total}`, note],
    ...rows.map((row) => [`  ${row.name}`, `${row.tried}/${row.total}`, row.missing.join(', ')]),
  ])
  const questions = report.questions.map((one) => `  ${one.question}\n    ${describeUse(one)}\n    ${describeChoices(one, '[', ']')}`)
  return joinParts([
    `Coverage of ${report.contract}: ${summarize(report)}${fileCount > 1 ? `, from ${fileCount} files` : ''}`,
    alignColumns([HEAD, ...lines]),
    listSeen(report).map(([name, text]) => `${name}: ${text}`),
    verdicts.map((verdict) => describeVerdict(verdict)),
    [ASK, ...(questions.length === 0 ? [`  ${NOTHING_TO_ASK}`] : questions)],
  ])
}

export function renderMarkdown(report: Report, verdicts: readonly Verdict[]): string {
  const rows = report.operations.flatMap(({ id, tried, total, note, rows: fields }) => [
    [`**${id}**`, `${tried}/${total}`, note && `*${note}*`],
    ...fields.map((row) => [row.name, `${row.tried}/${row.total}`, row.missing.map((name) => `\`${name}\``).join(' ')]),
  ])
  const questions = report.questions.map((one) => [one.question, describeChoices(one, '**', '**'), describeUse(one)])
  const asked = tabulate([['question', 'choices (in use: bold)', 'used by'], ['---', '---', '---'], ...questions])
  return joinParts([
    `## Coverage of ${report.contract}`,
    summarize(report, '**'),
    tabulate([HEAD, ['---', '--:', '---'], ...rows]),
    listSeen(report).map(([name, text]) => `- **${name}:** ${text}`),
    verdicts.map((verdict) => `- ${describeVerdict(verdict, '`')}`),
    `### ${ASK}`,
    questions.length === 0 ? NOTHING_TO_ASK : asked,
  ])
}

/** Parts with an empty line between them. */
function joinParts(parts: readonly (string | readonly string[])[]): string {
  const texts = parts.filter((part) => part.length > 0).map((part) => `${[part].flat().join('\n')}\n`)
  return texts.join('\n')
}

function summarize({ tried, total, percent, requests }: Report, mark = ''): string {
  return `${mark}${tried} of ${total} cells (${percent}%)${mark}, ${requests} request${requests === 1 ? '' : 's'}`
}

function describeUse({ id, count, operations }: QuestionReport): string {
  return `${id}: ${count} response${count === 1 ? '' : 's'} (${operations.join(', ')})`
}

/** The choices in use are marked. */
function describeChoices({ choices }: QuestionReport, before: string, after: string): string {
  return Object.entries(choices)
    .map(([name, count]) => (count > 0 ? before + name + after : name))
    .join(' · ')
}

function describeVerdict({ requirement, problem }: Verdict, mark = ''): string {
  const text = mark + requirement + mark
  return problem === undefined ? `✓ ${text}` : `✗ ${text}: ${problem}`
}

function listSeen({ seen }: Report): string[][] {
  return Object.entries(seen).flatMap(([name, counts]) => {
    const parts = Object.entries(counts).map(([what, count]) => `${what} ×${count}`)
    return parts.length === 0 ? [] : [[name, parts.join(', ')]]
  })
}

function alignColumns(lines: readonly (readonly string[])[]): string[] {
  const widths = [0, 1].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function tabulate(rows: readonly (readonly string[])[]): string[] {
  return rows.map((row) => `| ${row.join(' | ')} |`)
}
