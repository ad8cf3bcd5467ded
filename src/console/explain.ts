// Why a request got its response, what to do about it, and which line of its body is the reason.
import { describeFault } from '../client/describe-fault.ts'
import type { AssumptionState } from '../control/control.ts'
import { contract } from '../generated/contract.ts'
import type { LiveFault } from '../world/faults.ts'
import type { JournalEntry } from '../world/journal-entry.ts'
import { addedId, OUTCOMES, toneOf } from './entry.ts'

export interface Explanation {
  readonly tone: 'good' | 'warn' | 'bad'
  readonly title: string
  /** What to do about it; empty if there is nothing to do. */
  readonly advice: string
}

/** What is wrong with a line of the body: of a field, of the whole (no field), or of a line of text that is not JSON. */
export interface LineMark {
  readonly field?: string
  readonly line?: number
  readonly text: string
}

const PATHS = [...new Set(Object.values(contract.operations).map(({ path }) => path))]

export function explain(entry: JournalEntry, faults: readonly LiveFault[], assumptions: readonly AssumptionState[]): Explanation {
  const title = entry.error ?? (entry.outcome === 'sent' ? describeSuccess(entry) : OUTCOMES[entry.outcome][1])
  return { tone: toneOf(entry), title, advice: entry.faults.length > 0 ? adviseOnFaults(entry, faults) : advise(entry, assumptions) }
}

/** The offending lines of the request body. */
export function markLines({ error, request }: JournalEntry): LineMark[] {
  if (error === null || request.body === '') return []
  const line = / at line (\d+), column \d+/.exec(error)?.[1]
  if (line !== undefined) return [{ line: Number(line), text: error.replace(/^.*?: /, '') }]
  return error.split('; ').flatMap((problem) => {
    const [, field, expected] = /^(\w+): (expected .+?)(?:, got .*)?$/.exec(problem) ?? []
    if (field !== undefined && expected !== undefined) return [{ field, text: expected }]
    // A missing field has no line.
    return / is required$/.test(problem) ? [{ text: problem }] : []
  })
}

function describeSuccess(entry: JournalEntry): string {
  const id = addedId(entry)
  return id === undefined ? 'As the spec says' : `Added animal ${id}`
}

function adviseOnFaults(entry: JournalEntry, faults: readonly LiveFault[]): string {
  return entry.faults
    .map((id) => {
      if (id === 'Prefer') return 'The request asked for it with its Prefer header.'
      const fault = faults.find((one) => one.id === id)
      if (!fault) return `Fault ${id} applied. It has been removed since.`
      return `Fault ${id}: ${fault.operation === '*' ? 'every operation' : fault.operation} ${describeFault(fault)}.`
    })
    .join(' ')
}

function advise({ status, error, operation }: JournalEntry, assumptions: readonly AssumptionState[]): string {
  if (status === 401) return adviseOnKey(assumptions)
  if (error === null) return ''
  if (/expected a 64-bit integer, got "-?\d+"/.test(error) && operation === 'createPet') return 'Send the digits without quotes.'
  if (status === 404 && operation === null && !error.includes('did you mean')) return `The API has ${PATHS.join(' and ')}.`
  return ''
}

/** How to send a key that this state accepts. */
export function adviseOnKey(assumptions: readonly AssumptionState[]): string {
  const isListed = assumptions.some(({ id, choice }) => id === 'valid-keys' && choice === 'listed')
  return `Send Authorization: Bearer <key>. ${isListed ? 'Only listed keys are valid.' : 'Any key is valid, except the word invalid.'}`
}
