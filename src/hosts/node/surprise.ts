// How the server writes a surprised response: header names in another case, the body in chunks. Its header says which.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Reply } from '../../service/call.ts'
import { hash } from '../../surprise/setting.ts'

/** The header fields as they are sent; without a Content-Length if the body is sent in chunks. */
export function spellHeaders(headers: Reply['headers'], surprise: string): OutgoingHttpHeaders {
  const isUpper = hash(surprise) % 2 === 0
  const change = (name: string) => (!isOn(surprise, 'header-case') ? name : isUpper ? name.toUpperCase() : name.toLowerCase())
  const fields = Object.entries(headers).filter(([name]) => name !== 'Content-Length' || !isOn(surprise, 'chunks'))
  return Object.fromEntries(fields.map(([name, value]) => [change(name), value]))
}

/** Ends the response, in two pieces that may cut a character if the surprise says so. */
export function endInPieces(response: ServerResponse, body: string, surprise: string): void {
  const bytes = Buffer.from(body)
  const cut = isOn(surprise, 'chunks') ? 1 + (hash(surprise) % bytes.length) : bytes.length
  response.write(bytes.subarray(0, cut))
  response.end(bytes.subarray(cut))
}

function isOn(surprise: string, kind: 'header-case' | 'chunks'): boolean {
  return surprise.includes(` ${kind}@`)
}
