// Sums up reports of vitest: the tests and files that failed, each with the beginning of its message, then one line with the totals,
// "N passed, N failed, N skipped". A report that is missing belongs to a part that did not run.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

const MESSAGE_LINES = 6

const files = process.argv.slice(2)
const missing = files.filter((file) => !existsSync(file))
const reports = files
  .filter((file) => existsSync(file))
  .map((file) => JSON.parse(readFileSync(file, 'utf8')))

function print(file, title, message = '') {
  const lines = message.split('\n').filter((line) => !/^\s+at /.test(line))
  console.log(`FAILED ${relative('.', file)}${title}`)
  for (const line of lines.slice(0, MESSAGE_LINES)) console.log(`  ${line}`)
}

for (const { name, status, message, assertionResults } of reports.flatMap(
  ({ testResults }) => testResults,
)) {
  const failures = assertionResults.filter((test) => test.status === 'failed')
  for (const { ancestorTitles, title, failureMessages } of failures) {
    print(name, ` > ${[...ancestorTitles, title].join(' > ')}`, failureMessages.join('\n'))
  }
  if (status === 'failed' && failures.length === 0) print(name, ' (the whole file)', message)
}
for (const file of missing) console.log(`FAILED ${file}: this part has not run`)

const sum = (field) => reports.reduce((total, report) => total + report[field], 0)
console.log(
  `${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed, ${sum('numPendingTests')} skipped`,
)
if (missing.length > 0 || reports.some(({ success }) => !success)) process.exitCode = 1
