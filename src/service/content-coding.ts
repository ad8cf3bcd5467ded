// How a body was compressed on its way (RFC 9110 §8.4). The engine gets bodies as they were before:
// hosts decompress them, each with what its platform has, and say here how that ended.
import { ApiError } from '../contract/errors.ts'
import type { Call } from './call.ts'

export type ContentCoding = 'gzip' | 'deflate'

const CODINGS: Readonly<Record<string, ContentCoding | 'identity'>> = {
  '': 'identity',
  identity: 'identity',
  gzip: 'gzip',
  // The same by RFC 9110 §8.4.1.3.
  'x-gzip': 'gzip',
  deflate: 'deflate',
}
const ACCEPTED = { headers: { 'Accept-Encoding': 'gzip, deflate' } }

/** Stands for a body that is not what its Content-Encoding says. */
const UNDECODABLE = /* @__PURE__ */ new Uint8Array(0)

/** The coding that a host has to undo; nothing for no coding, and for one that is not supported. */
export function findCoding({ headers }: Pick<Call, 'headers'>): ContentCoding | undefined {
  const coding = readCoding(headers)
  return coding === 'identity' ? undefined : coding
}

function readCoding(headers: Call['headers']): ContentCoding | 'identity' | undefined {
  const sent = headers['content-encoding']
  if (sent === undefined) return 'identity'
  const name = sent.trim().toLowerCase()
  return Object.hasOwn(CODINGS, name) ? CODINGS[name] : undefined
}

/** What a body that cannot be decompressed is for the engine: too large, or not decodable. */
export function failDecoding(isTooLarge: boolean, maxBytes: number): Uint8Array {
  return isTooLarge ? new Uint8Array(maxBytes + 1) : UNDECODABLE
}

export function checkEncoding({ headers, body }: Call): void {
  const coding = readCoding(headers)
  if (coding === undefined) {
    const message = 'Content-Encoding must be gzip, deflate or identity'
    throw new ApiError(415, message, ACCEPTED)
  }
  if (body === UNDECODABLE) throw new ApiError(400, `The body is not valid ${coding} data`)
}
