// `coverage`: what test runs have tried of the contract, from the files that they wrote, and whether that is enough.
import { appendFile, readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isPlainObject } from '../../contract/describe-value.ts'
import { UsageError } from '../../contract/errors.ts'
import { escapeInJson } from '../../contract/escape.ts'
import type { Coverage } from '../../coverage/coverage.ts'
import { checkCoverage, mergeCoverage } from '../../coverage/merge.ts'
import type { Report } from '../../coverage/report.ts'
import { judge, type Verdict } from '../../coverage/rules.ts'
import { createTally } from '../../coverage/tally.ts'
import { toJUnit } from '../../coverage/to-junit.ts'
import { toMarkdown } from '../../coverage/to-markdown.ts'
import { toReport } from '../../coverage/to-report.ts'
import { toText } from '../../coverage/to-text.ts'
import { coveredContract } from '../../generated/coverage.ts'
import { defineCommand } from '../command.ts'
import { type CoverageFormat, coverageFlags } from '../flags.ts'
import { print } from '../print-document.ts'
import { note } from '../say.ts'

const FAILURE_EXIT_CODE = 1

export const coverageCommand = defineCommand({
  summary: 'report what test runs tried of the API, and what they assume',
  arguments: [['<file...>', 'what exec --coverage, a test kit or --format json wrote; several are added up']],
  flags: coverageFlags,
  examples: [
    'coverage coverage/*.json',
    'coverage coverage/*.json --require createPet.400,listPets.status=sold --min 60',
    'coverage coverage/*.json --forbid assumption:invalid-query,near-miss',
    'coverage coverage/*.json --format html > coverage.html',
    'coverage shard-*/*.json --format json > merged.json',
  ],
  notes: [
    'A cell is an operation (createPet), a documented response (createPet.400), or a class of a parameter or body field',
    '(listPets.limit=lowest, listPets.status=sold). --require and --forbid also take assumption:<id>, near-miss, deprecated,',
    'undocumented and unretried-fault.',
    'Exit code 1 if a requirement is not met, or if there was no request at all. With GITHUB_STEP_SUMMARY set, the report is',
    'appended there as Markdown too.',
  ],
  async run({ require = [], forbid = [], min, format }, patterns) {
    const files = (await Promise.all(patterns.map(expandPattern))).flat()
    const coverage = mergeCoverage(await Promise.all(files.map(read)), files)
    const report = toReport(coverage)
    const verdicts = judge(coverage, report, { require, forbid, min })
    const broken = verdicts.filter(({ problem }) => problem !== undefined)
    // The files are data: names in them that a terminal would act on are printed as escapes, which leave line feeds as they are.
    await appendSummary(escapeInJson(toMarkdown(report, verdicts)))
    await print(escapeInJson(await toOutput(format, coverage, report, verdicts, files.length)))
    // What is printed may go to a file that nobody looks at.
    if (format !== 'text') for (const { rule, problem } of broken) note(`${rule}: ${problem}`)
    if (broken.length > 0) process.exitCode = FAILURE_EXIT_CODE
  },
})

/** The files that match, by name; the file itself if it has no `*`. Windows shells pass patterns on as they are. */
async function expandPattern(pattern: string): Promise<string[]> {
  const last = basename(pattern)
  if (!last.includes('*')) return [pattern]
  const parts = last.split('*').map((part) => part.replace(/[^\w]/g, '\\$&'))
  const fits = new RegExp(`^(?!\\.)${parts.join('.*')}$`)
  const folder = dirname(pattern)
  const names = await readdir(folder).catch(() => [])
  const found = names.filter((name) => fits.test(name)).sort()
  if (found.length === 0) throw new UsageError(`${pattern}: no such file`)
  return found.map((name) => join(folder, name))
}

async function read(file: string): Promise<Coverage> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file}: ${error.code === 'ENOENT' ? 'no such file' : `cannot be read (${error.code})`}`)
  })
  const coverage = checkCoverage(toCoverage(parse(text, file)), file)
  if (coverage.contract !== coveredContract) {
    throw new UsageError(`${file} covers ${coverage.contract}, and this version of animal-store-mock has ${coveredContract}`)
  }
  const problem = findCellProblem(coverage)
  if (problem !== undefined) throw new UsageError(`${file}: ${problem}`)
  return coverage
}

/** A percentage of other cells than the contract's would mean something else. */
function findCellProblem({ cells }: Coverage): string | undefined {
  const expected = createTally().coverage().cells
  const missing = Object.keys(expected).find((name) => !Object.hasOwn(cells, name))
  if (missing !== undefined) return `the cell ${missing} is missing`
  const unknown = Object.keys(cells).find((name) => !Object.hasOwn(expected, name))
  return unknown === undefined ? undefined : `the contract has no cell ${unknown}`
}

/** What `--format json` prints is a report with the coverage in it, and can be merged again. */
function toCoverage(value: unknown): unknown {
  return isPlainObject(value) && isPlainObject(value.coverage) ? value.coverage : value
}

function parse(text: string, file: string): unknown {
  try {
    // Some editors and shells put a byte order mark first.
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new UsageError(`${file}: expected coverage of animal-store-mock, got text that is not JSON`)
  }
}

async function toOutput(
  format: CoverageFormat,
  coverage: Coverage,
  report: Report,
  verdicts: readonly Verdict[],
  fileCount: number,
): Promise<string> {
  switch (format) {
    case 'json':
      return `${JSON.stringify({ ...report, rules: verdicts, coverage }, null, 2)}\n`
    case 'md':
      return toMarkdown(report, verdicts)
    case 'html': {
      const [{ toHtml }, { files }] = await Promise.all([import('../../coverage/to-html.ts'), import('../../generated/console.ts')])
      return toHtml(report, verdicts, files['/console.css'].body)
    }
    case 'junit':
      return toJUnit(report, verdicts)
    default:
      return toText(report, verdicts, fileCount)
  }
}

async function appendSummary(markdown: string): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = process.env
  if (!file) return
  await appendFile(file, `${markdown}\n`).catch((error: NodeJS.ErrnoException) => note(`${file}: cannot be written (${error.code})`))
}
