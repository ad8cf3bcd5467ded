// `coverage`: reports what test runs tried of the contract, or a running mock, and whether that is
// enough.
import { escapeInJson, toJsonText } from '../../contract/escape.ts'
import { tryJson } from '../../contract/int64-json.ts'
import { count } from '../../contract/problem.ts'
import { isPlainObject } from '../../contract/values.ts'
import type { ControlClient } from '../../control/client/client.ts'
import type { OutcomeCount } from '../../control/control.ts'
import { readText } from '../../hosts/node/scenario-files.ts'
import { parseNumberBy } from '../../scenario/settings/flag.ts'
import { checkCoverage, mergeCoverage } from '../coverage/files.ts'
import { createReport, type Report } from '../coverage/report.ts'
import { type Check, checkRequirements } from '../coverage/requirements.ts'
import { defineCommand } from '../lib/command.ts'
import { globalFlags, json } from '../lib/flags.ts'
import { checkJunit, type JunitCase, junit, writeJunit } from '../lib/junit.ts'
import { alignColumns, complain, joinLines, print } from '../lib/output.ts'
import { withState } from '../lib/with-mock.ts'

const parsePercent = parseNumberBy({ type: 'integer', minimum: 0, maximum: 100 })
const NOTHING_TO_ASK = '  Nothing: no response depended on what the spec leaves open.'

export const coverageCommand = defineCommand({
  summary: 'report what test runs tried of the API, and what they assume',
  arguments: [
    ['[file...]', 'files from exec --coverage or coverage --json; by default a running mock'],
  ],
  flags: {
    require: { syntax: '--require <cell...>', help: 'fail unless each of these cells was tried' },
    min: {
      syntax: '--min <percent>',
      help: 'fail below this percentage (deprecated operations excluded)',
      parse: parsePercent,
    },
    junit,
    json,
    ...globalFlags,
  },
  examples: [
    'coverage',
    'coverage coverage/*.json --require createPet.400,listPets.status=sold --min 60',
    'coverage a b --json > ab.json',
  ],
  notes: [
    'A cell is an operation (createPet), a documented response (createPet.400), or a class of a ' +
      'parameter or body',
    'field (listPets.limit=lowest, listPets.status=sold).',
    'A running mock also counts the logged requests that would get another status under another ' +
      'choice.',
    'Exit code 1 if a requirement is not met, or if there was no request at all.',
  ],
  async run(flags, files: readonly string[]) {
    const { require: required = [], min, json: isJson, junit: junitFile, ...remote } = flags
    await checkJunit(junitFile)
    const ask = (mock: ControlClient) => mock.coverage({ outcomes: true })
    const running = files.length > 0 ? undefined : await withState(remote, ask, { isQuiet: true })
    const coverage = running ?? mergeCoverage(await Promise.all(files.map(readCoverage)))
    const report = createReport(coverage)
    const requirements = checkRequirements(coverage.cells, report, required, min)
    const broken = requirements.filter(({ problem }) => problem !== undefined)
    if (isJson) {
      await print(toJsonText({ ...report, requirements, coverage }))
      for (const { requirement, problem } of broken) complain(`${requirement}: ${problem}`)
    } else {
      const texts = [
        renderCells(report, files.length),
        renderCounts(report),
        renderChecks(requirements),
        renderQuestions(report),
        renderOutcomes(running?.outcomes ?? []),
      ]
      // Names in the files could hold terminal codes.
      await print(escapeInJson(texts.filter((text) => text !== '').join('\n')))
    }
    await writeJunit(junitFile, 'coverage', listCases(report, requirements))
    if (broken.length > 0) process.exitCode = 1
  },
})

function listCases({ percent }: Report, checks: readonly Check[]): JunitCase[] {
  const cases = checks.map(({ requirement, problem }) => ({ name: requirement, problem }))
  return [{ name: `${percent}% of the cells were tried` }, ...cases]
}

async function readCoverage(file: string) {
  const value = tryJson(await readText(file))
  // `--json` prints a report with the coverage in it, which can be merged again.
  const isReport = isPlainObject(value) && isPlainObject(value.coverage)
  return checkCoverage(isReport ? value.coverage : (value ?? {}), file)
}

function renderCells(report: Report, files: number): string {
  const { contract, tried, total, percent, requests } = report
  const from = files > 1 ? `, from ${files} files` : ''
  const cells = `${tried} of ${total} cells (${percent}%)`
  const table = [['', 'tried', 'not tried']]
  for (const { id, note, rows, ...operation } of report.operations) {
    table.push([id, `${operation.tried}/${operation.total}`, note])
    for (const row of rows)
      table.push([`  ${row.name}`, `${row.tried}/${row.total}`, row.missing.join(', ')])
  }
  const title = `Coverage of ${contract}: ${cells}, ${count(requests, 'request')}${from}`
  return `${title}\n\n${joinLines(alignColumns(table))}`
}

function renderCounts(report: Report): string {
  const lines: string[] = []
  for (const [name, counts] of Object.entries(report.seen)) {
    const texts = Object.entries(counts).map(([what, times]) => `${what} ×${times}`)
    if (texts.length > 0) lines.push(`${name}: ${texts.join(', ')}`)
  }
  return joinLines(lines)
}

function renderChecks(checks: readonly Check[]): string {
  const lines = checks.map(({ requirement, problem }) =>
    problem === undefined ? `✓ ${requirement}` : `✗ ${requirement}: ${problem}`,
  )
  return joinLines(lines)
}

function renderQuestions({ questions }: Report): string {
  const texts = questions.length === 0 ? [NOTHING_TO_ASK] : questions.map(describeQuestion)
  return joinLines(['Ask the owner of the API', ...texts])
}

function describeQuestion(asked: Report['questions'][number]): string {
  const { id, question, operations } = asked
  const choices = Object.entries(asked.choices)
  const marked = choices.map(([name, times]) => (times > 0 ? `[${name}]` : name))
  const used = `${count(asked.count, 'response')} (${operations.join(', ')})`
  return `  ${question}\n    ${id}: ${used}\n    ${marked.join(' · ')}`
}

function renderOutcomes(outcomes: readonly OutcomeCount[]): string {
  if (outcomes.length === 0) return ''
  const lines = outcomes.map(
    (one) => `  with ${one.assumption}=${one.choice}: ${count(one.requests, 'request')}`,
  )
  return joinLines(['Requests that would get another status', ...lines])
}
