// The report on coverage of this very contract.
import { assumptions, contract } from '../generated/contract.ts'
import type { Coverage } from './coverage.ts'
import { arrange, type Report } from './report.ts'

export function toReport(coverage: Coverage): Report {
  const operations = Object.values(contract.operations).map(({ operationId, deprecated }) => ({
    id: operationId,
    isDeprecated: deprecated,
  }))
  return arrange(coverage, operations, assumptions)
}
