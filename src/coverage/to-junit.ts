// The report as JUnit XML: a suite for each operation with a case for each cell, skipped if it was not tried, and a suite for the rules.
import type { OperationReport, Report } from './report.ts'
import type { Verdict } from './rules.ts'
import { toResponses } from './to-text.ts'

interface Case {
  readonly name: string
  /** Why it failed, or was skipped. */
  readonly failure?: string | undefined
  readonly skipped?: string | undefined
}

export function toJUnit({ operations, questions }: Report, verdicts: readonly Verdict[]): string {
  const suites = [
    ...operations.map((operation) => toSuite(operation.id, toCases(operation))),
    toSuite(
      'rules',
      verdicts.map(({ rule, problem }) => ({ name: rule, failure: problem })),
    ),
  ]
  const asks = questions.map(({ id, question, count }) => `${id}: ${question} (used by ${toResponses(count)})`)
  const count = (pattern: RegExp) => suites.join('').match(pattern)?.length ?? 0
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="coverage" tests="${count(/<testcase /g)}" failures="${count(/<failure /g)}" errors="0" time="0">
${suites.join('')}  <testsuite name="Ask the owner of the API" tests="0" failures="0" errors="0" skipped="0" time="0">
    <system-out>${toSafe(asks.join('\n'))}</system-out>
  </testsuite>
</testsuites>
`
}

function toCases({ rows }: OperationReport): Case[] {
  return rows.flatMap(({ cells }) => cells.map(({ id, count }) => ({ name: id, skipped: count > 0 ? undefined : 'not tried' })))
}

function toSuite(name: string, cases: readonly Case[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length
  const skipped = cases.filter((one) => one.skipped !== undefined).length
  const lines = cases.map((one) => `    ${toCase(name, one)}\n`)
  return `  <testsuite name="${toSafe(name)}" tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}" time="0">\n${lines.join('')}  </testsuite>\n`
}

function toCase(suite: string, { name, failure, skipped }: Case): string {
  const start = `<testcase name="${toSafe(name)}" classname="coverage.${toSafe(suite)}" time="0"`
  if (failure !== undefined) return `${start}><failure message="${toSafe(failure)}" type="coverage"/></testcase>`
  return skipped === undefined ? `${start}/>` : `${start}><skipped message="${skipped}"/></testcase>`
}

/** XML has no way to write most control characters. */
function toSafe(text: string): string {
  return text.replace(/[^\P{Cc}\n]|[\ufffe\uffff]/gu, ' ').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
