// The report as one page that needs nothing else: in the look of the console, whose style sheet is handed in.
import { type Counted, countTried, type OperationReport, type QuestionReport, type Report } from './report.ts'
import type { Verdict } from './rules.ts'
import { describeBeside, toResponses, toSummary } from './to-text.ts'

/** For those who do not see the sign. */
const KEPT = '<span class="hidden">kept</span>'
const BROKEN = '<span class="hidden">broken</span>'

export function toHtml(report: Report, verdicts: readonly Verdict[], css: string): string {
  const { contract, tried, total, percent, requests } = report
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${toSafe(toSummary(report))}</title>
<style>${css}</style>
<body class="page">
<main>
<header class="view-head"><div>
<h1>Coverage</h1>
<p class="lead">${toSafe(contract)}: ${tried} of ${total} cells (${percent}%), ${requests} request${requests === 1 ? '' : 's'}</p>
</div></header>
<div class="stack">
${toVerdicts(verdicts)}${report.operations.map(toOperation).join('')}${toBeside(report)}
<h2 class="section">Ask the owner of the API</h2>
${report.questions.length === 0 ? '<p class="muted">Nothing: no response depended on what the spec leaves open.</p>' : report.questions.map(toQuestion).join('')}
</div>
</main>
</body>
</html>
`
}

function toVerdicts(verdicts: readonly Verdict[]): string {
  if (verdicts.length === 0) return ''
  const items = verdicts.map(
    ({ rule, problem }) =>
      `<li>${problem === undefined ? toChip('good', '✓', KEPT) : toChip('bad', '✗', BROKEN)} <code>${toSafe(rule)}</code>${problem === undefined ? '' : ` ${toSafe(problem)}`}</li>\n`,
  )
  return `<section class="card"><h2>Requirements</h2><ul class="rules">${items.join('')}</ul></section>\n`
}

function toOperation({ id, isDeprecated, tried, total, rows }: OperationReport): string {
  const lines = rows.map(({ name, cells }) => {
    const chips = cells.map((cell) => toCountChip(cell))
    return `<div><dt>${toSafe(name)} <span class="numbers">${countTried(cells)}/${cells.length}</span></dt><dd>${chips.join(' ')}</dd></div>\n`
  })
  return `<section class="card">
<div class="card-head"><h2><code>${toSafe(id)}</code></h2><span class="numbers">${tried} of ${total}</span></div>
<progress max="${total}" value="${tried}" aria-label="Cells of ${toSafe(id)} that were tried"></progress>
${isDeprecated ? '<p class="muted">Deprecated, so not in the percentage.</p>\n' : ''}<dl class="cells">${lines.join('')}</dl>
</section>
`
}

function toBeside(report: Report): string {
  const lines = describeBeside(report).map(([name, text]) => `<div><dt>${name}</dt><dd>${toSafe(text)}</dd></div>\n`)
  return lines.length === 0 ? '' : `<section class="card"><h2>Also seen</h2><dl class="cells">${lines.join('')}</dl></section>\n`
}

function toQuestion({ id, question, silence, count, choices, operations, tests }: QuestionReport): string {
  const options = choices.map(
    (choice) => `<div><dt>${toCountChip(choice)}</dt><dd>${choice.meaning === choice.name ? '' : toSafe(choice.meaning)}</dd></div>\n`,
  )
  const where = operations.map(({ name, count: calls }) => `${toSafe(name)} ×${calls}`).join(', ')
  return `<section class="card">
<h2>${toSafe(question)}</h2>
<p class="muted">${toSafe(silence)}</p>
<p class="facts-line"><code>${toSafe(id)}</code> <span class="numbers">used by ${toResponses(count)}: ${where}</span></p>
<dl class="cells">${options.join('')}</dl>
${tests.length === 0 ? '' : `<details><summary>${tests.length} test${tests.length === 1 ? '' : 's'}</summary><ul>${tests.map((test) => `<li>${toSafe(test)}</li>`).join('')}</ul></details>\n`}</section>
`
}

function toCountChip({ name, count }: Counted): string {
  return count > 0 ? toChip('good', '✓', `${toSafe(name)} <span class="numbers">${count}</span>`) : toChip('plain', '–', toSafe(name))
}

/** The sign and the colour say the same. */
function toChip(tone: 'good' | 'plain' | 'bad', sign: string, html: string): string {
  return `<span class="chip ${tone}"><span aria-hidden="true">${sign} </span>${html}</span>`
}

function toSafe(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
