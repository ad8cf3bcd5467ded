// Why a request got its response, what to do about it, and which line of its body is the reason.
import { describeFault } from '../client/describe-fault.ts'
import { type Problem, say, sayFound } from '../contract/problem.ts'
import type { Schema } from '../contract/schema.ts'
import type { AssumptionState } from '../control/control.ts'
import { contract } from '../generated/contract.ts'
import type { LiveFault } from '../world/faults.ts'
import type { LogEntry } from '../world/log-entry.ts'
import { addedId, OUTCOMES } from './entry.ts'

/** What is wrong with a line of the body: of a field, of the whole (no field), or of a line of text that is not JSON. */
export interface LineMark {
  readonly field?: string
  readonly line?: number
  readonly text: string
}

const PATHS = [...new Set(Object.values(contract.operations).map(({ path }) => path))]

/** Why the request got its response. */
export function reasonOf(entry: LogEntry): string {
  if (entry.error !== null) return entry.error
  if (entry.outcome !== 'sent') return OUTCOMES[entry.outcome][1]
  if (entry.faults.length > 0) return 'A fault applied'
  const id = addedId(entry)
  return id === undefined ? 'As the spec says' : `Added animal ${id}`
}

/** What to do about it; empty if there is nothing to do. */
export function advise(entry: LogEntry, faults: readonly LiveFault[], assumptions: readonly AssumptionState[]): string {
  const { status, problems, operation } = entry
  if (entry.faults.length > 0) return entry.faults.map((id) => describeApplied(id, faults)).join(' ')
  if (status === 401) return adviseOnKey(assumptions)
  if (operation === 'createPet' && problems.some(isQuotedInteger)) return 'Send the digits without quotes.'
  if (problems[0]?.kind === 'unknown-path') return `The API has ${PATHS.join(' and ')}.`
  return ''
}

/** An int64 that was sent as a text. */
function isQuotedInteger(problem: Problem): boolean {
  if (problem.kind !== 'mismatch' || !/^"-?\d+"$/.test(problem.got ?? '')) return false
  const fields: Readonly<Record<string, Schema>> = contract.schemas.NewPet.properties
  return fields[problem.path]?.format === 'int64'
}

/** The offending lines of the request body. */
export function markLines({ problems, request }: LogEntry): LineMark[] {
  if (request.body === '') return []
  return problems.flatMap((problem): LineMark[] => {
    if (problem.kind === 'syntax' && problem.line !== undefined) return [{ line: problem.line, text: sayFound(problem) }]
    if (problem.kind === 'mismatch') return [{ ...(problem.path !== '' && { field: problem.path }), text: `expected ${problem.expected}` }]
    // A missing field has no line.
    return problem.kind === 'missing' ? [{ text: say(problem) }] : []
  })
}

function describeApplied(id: string, faults: readonly LiveFault[]): string {
  if (id === 'Prefer') return 'The request asked for it with its Prefer header.'
  const fault = faults.find((one) => one.id === id)
  if (!fault) return `Fault ${id} applied. It has been removed since.`
  return `Fault ${id}: ${fault.operation === '*' ? 'every operation' : fault.operation} ${describeFault(fault)}.`
}

/** How to send a key that this state accepts. */
export function adviseOnKey(assumptions: readonly AssumptionState[]): string {
  const isListed = assumptions.some(({ id, choice }) => id === 'valid-keys' && choice === 'listed')
  return `Send Authorization: Bearer <key>. ${isListed ? 'Only listed keys are valid.' : 'Any key is valid, except the word invalid.'}`
}
