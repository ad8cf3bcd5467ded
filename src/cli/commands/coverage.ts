// `coverage`: reports what test runs tried of the contract, and whether that is enough.
import { appendFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isPlainObject } from '../../contract/describe-value.ts'
import { UsageError } from '../../contract/errors.ts'
import { count } from '../../contract/problem.ts'
import { type Coverage, checkCoverage, mergeCoverage } from '../../coverage/coverage.ts'
import { checkRequirements, createReport, type QuestionReport, type Report, type Verdict } from '../../coverage/report.ts'
import { coveredContract } from '../../generated/coverage.ts'
import { escapeInJson } from '../../render/escape.ts'
import { readText } from '../../scenario/files.ts'
import { defineCommand, flagTables } from '../flags.ts'
import { alignColumns, notify, print, toMarkdown } from '../output.ts'

const FAILURE_EXIT_CODE = 1
const NOTHING_TO_ASK = '  Nothing: no response depended on what the spec leaves open.'

export const coverageCommand = defineCommand({
  summary: 'report what test runs tried of the API, and what they assume',
  arguments: [['<file...>', 'files from exec --coverage or coverage --format json, or folders of them; several are merged']],
  flags: flagTables.coverage,
  examples: [
    'coverage coverage',
    'coverage coverage --require createPet.400,listPets.status=sold --min 60',
    'coverage store.json --format md',
    'coverage shard-1 shard-2 --format json > merged.json',
  ],
  notes: [
    'A cell is an operation (createPet), a documented response (createPet.400), or a class of a parameter or body field',
    '(listPets.limit=lowest, listPets.status=sold).',
    'Exit code 1 if a requirement is not met, or if there was no request at all. With GITHUB_STEP_SUMMARY set, the report is',
    'appended there as Markdown too.',
  ],
  async run({ require = [], min, format }, paths) {
    const files = (await Promise.all(paths.map(findFiles))).flat()
    const coverage = mergeCoverage(await Promise.all(files.map(read)))
    const report = createReport(coverage)
    const requirements = checkRequirements(coverage.cells, report, require, min)
    const broken = requirements.filter(({ problem }) => problem !== undefined)
    // Names in the files could hold terminal codes.
    const text = escapeInJson(renderText(report, requirements, files.length))
    await appendSummary(toMarkdown(text))
    const json = () => escapeInJson(`${JSON.stringify({ ...report, requirements, coverage }, null, 2)}\n`)
    await print({ json, md: () => toMarkdown(text), text: () => text }[format]())
    // The output may go to a file.
    if (format !== 'text') for (const { requirement, problem } of broken) notify(`${requirement}: ${problem}`)
    if (broken.length > 0) process.exitCode = FAILURE_EXIT_CODE
  },
})

async function findFiles(path: string): Promise<string[]> {
  const names = await readdir(path).catch(() => undefined)
  if (!names) return [path]
  const found = names.filter((name) => name.endsWith('.json')).sort()
  if (found.length === 0) throw new UsageError(`${path}: no JSON files in this folder`)
  return found.map((name) => join(path, name))
}

async function read(file: string): Promise<Coverage> {
  const value: unknown = await readText(file)
    .then(JSON.parse)
    .catch((error) => {
      if (error instanceof UsageError) throw error
      throw new UsageError(`${file}: expected coverage of animal-store-mock, got text that is not JSON`)
    })
  // `--format json` prints a report with the coverage in it, which can be merged again.
  const coverage = checkCoverage(isPlainObject(value) && isPlainObject(value.coverage) ? value.coverage : value, file)
  if (coverage.contract !== coveredContract) {
    throw new UsageError(`${file} covers ${coverage.contract}, and this version of animal-store-mock has ${coveredContract}`)
  }
  return coverage
}

async function appendSummary(markdown: string): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = process.env
  if (!file) return
  await appendFile(file, `${markdown}\n`).catch((error: NodeJS.ErrnoException) => notify(`${file}: cannot be written (${error.code})`))
}

/** `fileCount` shows the reader if old files were read too. */
function renderText(report: Report, verdicts: readonly Verdict[], fileCount: number): string {
  const { operations, questions, seen, tried, total, percent, requests } = report
  const lines = operations.flatMap(({ id, tried, total, note, rows }) => [
    [id, `${tried}/${total}`, note],
    ...rows.map((row) => [`  ${row.name}`, `${row.tried}/${row.total}`, row.missing.join(', ')]),
  ])
  const counted = Object.entries(seen).flatMap(([name, counts]) => {
    const texts = Object.entries(counts).map(([what, times]) => `${what} ×${times}`)
    return texts.length === 0 ? [] : `${name}: ${texts.join(', ')}`
  })
  const title = `Coverage of ${report.contract}: ${tried} of ${total} cells (${percent}%), ${count(requests, 'request')}`
  const parts = [
    [title + (fileCount > 1 ? `, from ${fileCount} files` : '')],
    alignColumns([['', 'tried', 'not tried'], ...lines]),
    counted,
    verdicts.map(({ requirement, problem }) => (problem ? `✗ ${requirement}: ${problem}` : `✓ ${requirement}`)),
    ['Ask the owner of the API', ...(questions.length === 0 ? [NOTHING_TO_ASK] : questions.map(describeQuestion))],
  ]
  return parts.flatMap((part) => (part.length === 0 ? [] : `${part.join('\n')}\n`)).join('\n')
}

function describeQuestion({ id, question, count: used, operations, choices }: QuestionReport): string {
  const marked = Object.entries(choices).map(([name, times]) => (times > 0 ? `[${name}]` : name))
  return `  ${question}\n    ${id}: ${count(used, 'response')} (${operations.join(', ')})\n    ${marked.join(' · ')}`
}
