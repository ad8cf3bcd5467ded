// The report as Markdown, for summaries of CI runs and comments on pull requests.
import { countTried, type OperationReport, type Report } from './report.ts'
import type { Verdict } from './rules.ts'
import { describeBeside, describeOperation, describeUse, findMissing } from './to-text.ts'

export function toMarkdown(report: Report, verdicts: readonly Verdict[]): string {
  const { contract, tried, total, percent, requests } = report
  return [
    `## Coverage of ${toSafe(contract)}`,
    `**${tried} of ${total} cells (${percent}%)**, ${requests} request${requests === 1 ? '' : 's'}`,
    toTable(['', 'tried', 'not tried'], '|---|--:|---|', report.operations.flatMap(toRows)),
    describeBeside(report)
      .map(([name, text]) => `- **${name}:** ${toSafe(text)}`)
      .join('\n'),
    verdicts.map(({ rule, problem }) => (problem === undefined ? `- ✓ \`${rule}\`` : `- ✗ \`${rule}\`: ${problem}`)).join('\n'),
    '### Ask the owner of the API',
    toQuestions(report),
  ]
    .filter((part) => part !== '')
    .map((part) => `${part}\n`)
    .join('\n')
}

function toRows(operation: OperationReport): string[][] {
  const { id, tried, total, rows } = operation
  const note = describeOperation(operation)
  return [
    [`**${id}**`, `${tried}/${total}`, note === '' ? '' : `*${note}*`],
    ...rows.map((row) => [
      row.name,
      `${countTried(row.cells)}/${row.cells.length}`,
      findMissing(row)
        .map((name) => `\`${name}\``)
        .join(' '),
    ]),
  ]
}

function toQuestions({ questions }: Report): string {
  if (questions.length === 0) return 'Nothing: no response depended on what the spec leaves open.'
  const rows = questions.map((question) => [
    toSafe(question.question),
    question.choices.map(({ name, count }) => (count > 0 ? `**${name}**` : name)).join(' · '),
    toSafe(describeUse(question)),
  ])
  return toTable(['question', 'choices (in use: bold)', 'used by'], '|---|---|---|', rows)
}

function toTable(head: readonly string[], line: string, rows: readonly (readonly string[])[]): string {
  return [`| ${head.join(' | ')} |`, line, ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n')
}

/** Names of tests are anybody's text: none of it may end the cell or become markup. */
function toSafe(text: string): string {
  return text.replace(/[\\`*_[\]<>|&~#]/g, (character) => `&#${character.charCodeAt(0)};`).replace(/\s+/g, ' ')
}
