// What a fault makes of the body of a response: what gateways, proxies and broken connections leave of one.
import { toReason } from './contract/errors.ts'

/** The bodies that a fault can send, and what each is in words. */
export const FAULT_BODIES = {
  html: 'an HTML page',
  truncated: 'half of its body',
  'not-json': 'text that is not JSON',
  empty: 'no body',
} as const

export type FaultBody = keyof typeof FAULT_BODIES

const BROKEN = 'upstream connect error or disconnect/reset before headers'

/** Statuses whose responses never have a body (RFC 9110 §15). */
export const BODILESS_STATUSES: readonly number[] = [204, 205, 304]

/** What else a fault does to the response. */
interface Spoiling {
  /** The status that it forces, if any. */
  readonly forced: number | undefined
  /** Fields of the response besides the common ones. */
  readonly headers: Record<string, string>
}

/** The response with another body. A success gets the forced status; a refusal keeps its own. */
export function spoil(kind: FaultBody, { status: own, body }: { status: number; body: string }, { forced, headers }: Spoiling) {
  const status = own < 400 ? (forced ?? own) : own
  if (kind === 'html') headers['Content-Type'] = 'text/html; charset=utf-8'
  const bodies = { html: renderPage(status), truncated: cutInHalf(body), 'not-json': BROKEN, empty: '' }
  return { status, body: bodies[kind] }
}

/** Between two characters, not inside one. */
function cutInHalf(text: string): string {
  return text.slice(0, text.length / 2).replace(/[\ud800-\udbff]$/, '')
}

/** As a gateway shows it. */
function renderPage(status: number): string {
  const title = status < 400 ? 'Welcome' : `${status} ${toReason(status)}`
  return `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1><hr>gateway</body></html>\n`
}
