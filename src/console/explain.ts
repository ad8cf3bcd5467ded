// Why a request got its response, in words, what to do about it, and which line of its body is the reason.

import { type Problem, say, sayFound } from '../contract/problem.ts'
import type { Schema } from '../contract/schema.ts'
import type { AssumptionState } from '../control/control.ts'
import { contract } from '../generated/contract.ts'
import { describeFault } from '../settings/describe-fault.ts'
import type { LiveFault } from '../world/faults.ts'
import type { LogEntry } from '../world/log-entry.ts'
import { addedId, OUTCOMES } from './entry.ts'

/** What is wrong with a line of the body: of a field, of the whole (no field), or of a line of text that is not JSON. */
export interface LineMark {
  readonly field?: string
  readonly line?: number
  readonly text: string
}

/** Who is behind a response, in a word or two, and what happened. */
export interface Cause {
  readonly chip?: string
  readonly tone?: 'bad' | 'accent'
  readonly text: string
}

const PATHS = [...new Set(Object.values(contract.operations).map(({ path }) => path))]
/** Another choice changes the order or a header of a response, never its status or which animals it has. */
const QUIET: readonly string[] = ['list-order', 'sunset-header']

/** Everything that made the response what it is, the most important first; `log` is the request log, newest first. */
export function causesOf(entry: LogEntry, faults: readonly LiveFault[], log: readonly LogEntry[]): readonly Cause[] {
  const struck = entry.faults.map((id): Cause => {
    if (id === 'Prefer') return { chip: 'your request', tone: 'bad', text: `asked for it: Prefer: ${entry.request.headers.prefer ?? ''}` }
    if (id === 'override') return { chip: 'a test', tone: 'bad', text: 'gave this response' }
    const fault = faults.find((one) => one.id === id)
    return {
      chip: 'fault',
      tone: 'bad',
      text: fault ? describeStrike(fault, entry, log) : `${entry.operation} failed on purpose; the fault is gone`,
    }
  })
  const surprised = entry.surprises.map((text): Cause => ({ chip: 'surprise', tone: 'accent', text }))
  // The problem of a fault is deliberate, and a note may repeat what a problem says.
  const problems = entry.problems.filter(({ kind }) => kind !== 'fault').map(say)
  const id = addedId(entry)
  const told = new Set([
    ...problems,
    ...entry.notes.filter((note) => note !== entry.error),
    ...(id === undefined ? [] : [`Added animal ${id}`]),
  ])
  return [...struck, ...surprised, ...[...told].map((text) => ({ text }))]
}

/** The assumptions that another choice of would have changed the status or the animals. */
export function tellingAssumptions({ assumptions }: LogEntry): readonly string[] {
  return assumptions.filter((id) => !QUIET.includes(id))
}

/** As in `createPet fails with 503, 1 of 2`. */
function describeStrike(fault: LiveFault, entry: LogEntry, log: readonly LogEntry[]): string {
  const later = log.filter((one) => one.id > entry.id && one.sandbox === entry.sandbox && one.faults.includes(fault.id)).length
  return describeFault({ ...fault, applied: fault.applied - later })
}

/** What to do about it; empty if there is nothing to do. */
export function advise(entry: LogEntry, faults: readonly LiveFault[], assumptions: readonly AssumptionState[]): string {
  const { status, problems, operation } = entry
  if (entry.faults.length > 0)
    return faults
      .filter(({ id }) => entry.faults.includes(id))
      .map((fault) => `${describeFault(fault)}.`)
      .join(' ')
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

/** What there is to say about a request that nothing happened to. */
export function describePlain({ outcome }: LogEntry): string {
  return outcome === 'sent' ? 'As the spec says' : OUTCOMES[outcome][1]
}

/** How to send a key that this state accepts. */
export function adviseOnKey(assumptions: readonly AssumptionState[]): string {
  const isListed = assumptions.some(({ id, choice }) => id === 'valid-keys' && choice === 'listed')
  return `Send Authorization: Bearer <key>. ${isListed ? 'Only listed keys are valid.' : 'Any key is valid, except the word invalid.'}`
}
