// What a fault does: its outcomes, what it makes of a body, as gateways and broken connections
// would, and whether it is used up.
import { toReason } from '../contract/error-text.ts'

/** The bodies that a fault can send, and what each is in words. */
export const FAULT_BODIES = {
  html: 'an HTML page',
  truncated: 'half of its body',
  'not-json': 'text that is not JSON',
  empty: 'no body',
  cut: 'half of its body, and closes the connection',
} as const

export type FaultBody = keyof typeof FAULT_BODIES

/** A whole response, in place of the operation's. */
export interface FaultResponse {
  /** The status, 200 to 599. */
  readonly status: number
  /** Header fields, besides those that every response has. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * The body: a text is sent as it is, anything else as JSON, at most 1 MiB; nothing by default.
   */
  readonly body?: unknown
}

type Uses = { readonly times?: number | undefined; readonly applied?: number }

export function isUsedUp(fault: Uses): boolean {
  const { times, applied = 0 } = fault
  return times !== undefined && applied >= times
}

const isGiven = (value: unknown): boolean => value !== undefined
const isOn = (value: unknown): boolean => Boolean(value)

/** What a fault can do to a response besides a delay, and which values of the field do it. */
const OUTCOMES = {
  status: isGiven,
  body: isGiven,
  response: isGiven,
  drop: isOn,
  lost: isOn,
  rst: isOn,
  hold: isOn,
} as const

export type OutcomeName = keyof typeof OUTCOMES
type Outcomes = { readonly [Name in OutcomeName]?: unknown }

const OUTCOME_NAMES = Object.keys(OUTCOMES) as readonly OutcomeName[]

/** The outcomes that need no value. */
export const OUTCOME_FLAGS = OUTCOME_NAMES.filter((name) => OUTCOMES[name] === isOn)

/** A valid fault has at most one outcome. */
export function countOutcomes(fault: Outcomes): number {
  let outcomes = 0
  for (const name of OUTCOME_NAMES) {
    // A status may come with a body: together they are one outcome.
    if (name === 'body' && isGiven(fault.status)) continue
    if (OUTCOMES[name](fault[name])) outcomes++
  }
  return outcomes
}

export const hasOutcome = (fault: Outcomes): boolean => countOutcomes(fault) > 0

/** Statuses whose responses never have a body (RFC 9110 §15). */
export const BODILESS_STATUSES: readonly number[] = [204, 205, 304]

/** What a response with this status and `body` gets as its body. */
export function breakBody(kind: FaultBody, status: number, body: string): string {
  switch (kind) {
    case 'html':
      return renderGatewayPage(status)
    case 'truncated':
    case 'cut':
      // Between two characters, not inside one.
      return body.slice(0, body.length / 2).replace(/[\ud800-\udbff]$/, '')
    case 'not-json':
      return 'upstream connect error or disconnect/reset before headers'
    case 'empty':
      return ''
  }
}

function renderGatewayPage(status: number): string {
  const title = status < 400 ? 'Welcome' : `${status} ${toReason(status)}`
  const head = `<head><title>${title}</title></head>`
  return `<!DOCTYPE html>\n<html>${head}<body><h1>${title}</h1><hr>gateway</body></html>\n`
}
