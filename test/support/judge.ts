// An independent judge of every answer in the specs: Prism's own validator, in process, against
// spec/openapi.yaml. What the contract does not document must be in the one list of exceptions
// below.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

interface Judged {
  readonly method: string
  readonly target: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

interface PrismOperation {
  readonly method: string
  readonly path: string
  readonly iid: string
}

/**
 * Statuses outside the contract: those that an assumption chooses, and those that HTTP has for what
 * is outside the interface.
 */
const UNDOCUMENTED: Readonly<Record<number, string>> = {
  204: 'OPTIONS is not part of the interface; HTTP answers it without a body',
  400: 'invalid-query, invalid-pet-id, and a malformed target',
  403: 'a Host that the mock does not answer to',
  404: 'a path outside the interface',
  405: 'a method outside the interface',
  408: 'a request that does not arrive',
  410: 'removed-answer: gone',
  413: 'a body over the limit',
  414: 'a target over the limit',
  415: 'media-type: unsupported, and a Content-Encoding that no host reads',
  417: 'an expectation other than 100-continue',
  431: 'header fields over the limit',
  507: 'the last int64 is taken as an id',
}

// Prism is CommonJS without declarations for these two modules; all of it takes two seconds to
// import.
const require = createRequire(import.meta.url)
const { getHttpOperationsFromSpec } = require('@stoplight/prism-http/dist/utils/operations') as {
  getHttpOperationsFromSpec(file: string): Promise<PrismOperation[]>
}
const { validateOutput } = require('@stoplight/prism-http/dist/validator') as {
  validateOutput(input: { resource: PrismOperation; element: object }): {
    left?: { message: string; severity: number }[]
  }
}

const operations = await getHttpOperationsFromSpec(
  fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url)),
)

/** What Prism objects to in a response of an operation. */
export function findObjections({ method, target, status, headers, text }: Judged): string[] {
  const operation = operations.find(
    (one) =>
      one.method.toUpperCase() === (method === 'HEAD' ? 'GET' : method) &&
      matches(one.path, target),
  )
  // Prism reads numbers as JavaScript does, so it would judge others than were sent.
  if (!operation || /\d{16}/.test(text)) return []
  const element = { statusCode: status, headers, body: text === '' ? undefined : JSON.parse(text) }
  return (validateOutput({ resource: operation, element }).left ?? []).map(({ message }) => message)
}

/**
 * Throws if the answer is not one that the contract allows. `faulty` answers were asked for by a
 * fault, so any status may come.
 */
export function judge({ method, target, status, headers, text }: Judged, faulty: boolean): void {
  const say = (problem: string) =>
    new Error(`${method} ${target.slice(0, 200)} → ${status}: ${problem}\n${text.slice(0, 500)}`)
  if (status >= 400) judgeError(status, headers, method === 'HEAD' ? undefined : text, say)
  if (text.length > 0 && headers['content-type'] !== 'application/json')
    throw say(`a content type of ${headers['content-type']}`)
  if (method === 'HEAD') return
  for (const message of findObjections({ method, target, status, headers, text })) {
    const undocumented = message.startsWith('Unable to match the returned status code')
    if (undocumented && (faulty || status in UNDOCUMENTED)) continue
    throw say(message)
  }
}

function judgeError(
  status: number,
  headers: Judged['headers'],
  text: string | undefined,
  say: (problem: string) => Error,
): void {
  if (status === 401 && headers['www-authenticate'] === undefined) throw say('no WWW-Authenticate')
  if (status === 405 && headers.allow === undefined) throw say('no Allow')
  if (text === undefined) return
  const body = JSON.parse(text) as Record<string, unknown>
  const isError =
    typeof body.code === 'string' &&
    typeof body.message === 'string' &&
    body.message !== '' &&
    body.status === status
  if (!isError || Object.keys(body).length !== 3) throw say('no Error body')
}

function matches(path: string, target: string): boolean {
  const pattern = path.replace(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^/v1${pattern}$`).test(target.split('?', 1)[0] as string)
}
