// `coverage`: reports what test runs tried of the contract, or a running mock, and whether that is
// enough.

import { escapeInJson, toJsonText } from '../../contract/escape.ts'
import { tryJson } from '../../contract/int64-json.ts'
import { count } from '../../contract/problem.ts'
import { isPlainObject } from '../../contract/values.ts'
import type { ControlClient } from '../../control/client/client.ts'
import type { OutcomeCount } from '../../control/control.ts'
import { readText } from '../../hosts/node/scenario-files.ts'
import { parseBy } from '../../scenario/settings/flag.ts'
import type { Check, Report } from '../lib/coverage-report.ts'
import {
  checkCoverage,
  checkRequirements,
  createReport,
  mergeCoverage,
} from '../lib/coverage-report.ts'
import { defineCommand, globalFlags, json } from '../lib/flags.ts'
import { alignColumns, notify, print } from '../lib/output.ts'
import { withState } from '../lib/with-mock.ts'

const parsePercent = parseBy({ type: 'integer', minimum: 0, maximum: 100 })
const MIN_HELP = 'fail below this percentage (deprecated operations excluded)'
const NOTHING_TO_ASK = '  Nothing: no response depended on what the spec leaves open.'

export const coverageCommand = defineCommand({
  summary: 'report what test runs tried of the API, and what they assume',
  arguments: [
    ['[file...]', 'files from exec --coverage or coverage --json; by default a running mock'],
  ],
  flags: {
    require: { syntax: '--require <cell...>', help: 'fail unless each of these cells was tried' },
    min: { syntax: '--min <percent>', help: MIN_HELP, parse: parsePercent },
    json,
    ...globalFlags,
  },
  examples: [
    'coverage',
    'coverage coverage/*.json --require createPet.400,listPets.status=sold --min 60',
    'coverage a b --json > ab.json',
  ],
  notes: [
    'A cell is an operation (createPet), a documented response (createPet.400), or a class of a parameter or body',
    'field (listPets.limit=lowest, listPets.status=sold).',
    'A running mock also counts the logged requests that would get another status under another choice.',
    'Exit code 1 if a requirement is not met, or if there was no request at all.',
  ],
  async run({ require = [], min, json: isJson, ...flags }, files: readonly string[]) {
    const ask = (mock: ControlClient) => mock.coverage({ outcomes: true })
    const running = files.length > 0 ? undefined : await withState(flags, ask, { isQuiet: true })
    const coverage = running ?? mergeCoverage(await Promise.all(files.map(readCoverage)))
    const report = createReport(coverage)
    const requirements = checkRequirements(coverage.cells, report, require, min)
    const broken = requirements.filter(({ problem }) => problem !== undefined)
    const text = renderText(report, requirements, files.length, running?.outcomes)
    await print(isJson ? toJsonText({ ...report, requirements, coverage }) : text)
    if (isJson) for (const { requirement, problem } of broken) notify(`${requirement}: ${problem}`)
    if (broken.length > 0) process.exitCode = 1
  },
})

async function readCoverage(file: string) {
  const value = tryJson(await readText(file)) ?? {}
  // `--json` prints a report with the coverage in it, which can be merged again.
  return checkCoverage(
    isPlainObject(value) && isPlainObject(value.coverage) ? value.coverage : value,
    file,
  )
}

function renderText(
  report: Report,
  checks: readonly Check[],
  files: number,
  outcomes: readonly OutcomeCount[] = [],
) {
  const { contract, operations, questions, seen, tried, total, percent, requests } = report
  const lines = operations.flatMap(({ id, tried, total, note, rows }) => [
    [id, `${tried}/${total}`, note],
    ...rows.map((row) => [`  ${row.name}`, `${row.tried}/${row.total}`, row.missing.join(', ')]),
  ])
  const counted = Object.entries(seen).flatMap(([name, counts]) => {
    const texts = Object.entries(counts).map(([what, times]) => `${what} ×${times}`)
    return texts.length === 0 ? [] : `${name}: ${texts.join(', ')}`
  })
  const others = outcomes.map(
    (one) => `  with ${one.assumption}=${one.choice}: ${count(one.requests, 'request')}`,
  )
  const title = `Coverage of ${contract}: ${tried} of ${total} cells (${percent}%), ${count(requests, 'request')}`
  const parts = [
    [title + (files > 1 ? `, from ${files} files` : '')],
    alignColumns([['', 'tried', 'not tried'], ...lines]),
    counted,
    checks.map(({ requirement, problem }) =>
      problem ? `✗ ${requirement}: ${problem}` : `✓ ${requirement}`,
    ),
    [
      'Ask the owner of the API',
      ...(questions.length === 0 ? [NOTHING_TO_ASK] : questions.map(describeQuestion)),
    ],
    others.length === 0 ? [] : ['Requests that would get another status', ...others],
  ]
  // Names in the files could hold terminal codes.
  return escapeInJson(
    parts.flatMap((part) => (part.length === 0 ? [] : `${part.join('\n')}\n`)).join('\n'),
  )
}

function describeQuestion({
  id,
  question,
  count: used,
  operations,
  choices,
}: Report['questions'][number]): string {
  const marked = Object.entries(choices).map(([name, times]) => (times > 0 ? `[${name}]` : name))
  return `  ${question}\n    ${id}: ${count(used, 'response')} (${operations.join(', ')})\n    ${marked.join(' · ')}`
}
