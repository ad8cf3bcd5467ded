// Compressed bodies, in and out. node:zlib is loaded when the first of them comes: few clients
// compress what they send, and responses are compressed on demand.
import type { BrotliOptions, ZlibOptions } from 'node:zlib'
import type { Call, Reply } from '../../service/call.ts'
import { failDecoding, findCoding } from '../../service/content-coding.ts'

const loadZlib = () => process.getBuiltinModule('node:zlib')

/** The body before it was compressed; as it came if it was not. */
export function decompress(call: Call, body: Uint8Array, maxBytes: number): Uint8Array {
  const coding = findCoding(call)
  if (!coding || body.length === 0) return body
  const { gunzipSync, inflateSync } = loadZlib()
  const inflate = coding === 'gzip' ? gunzipSync : inflateSync
  try {
    return inflate(body, { maxOutputLength: maxBytes })
  } catch (error) {
    const { code } = error as { code?: string }
    return failDecoding(code === 'ERR_BUFFER_TOO_LARGE', maxBytes)
  }
}

/** Those that a response can have, the best first. */
const CODINGS = ['br', 'gzip', 'deflate'] as const
type ResponseCoding = (typeof CODINGS)[number]

const ZLIB_OPTIONS: ZlibOptions = { level: 6 }
const BROTLI_QUALITY = 4

/** The header fields and the bytes of a reply, compressed if the client accepts a coding. */
export function compress(reply: Reply, call: Pick<Call, 'method' | 'headers'>) {
  const { status, body } = reply
  const isBodiless = body === '' && call.method !== 'HEAD'
  if (status === 0 || isBodiless || reply.headers['Content-Encoding'] !== undefined) {
    return { headers: reply.headers, bytes: undefined }
  }
  const headers: Reply['headers'] = { ...reply.headers, Vary: joinVary(reply.headers.Vary) }
  const coding = chooseCoding(call.headers['accept-encoding'])
  if (!coding) return { headers, bytes: undefined }
  const { 'Content-Length': _, ...others } = headers
  const encoded: Reply['headers'] = { ...others, 'Content-Encoding': coding }
  // The length of what a GET would get is not known without its body (RFC 9110 §8.6).
  if (body === '') return { headers: encoded, bytes: undefined }
  const bytes = compressText(body, coding)
  return { headers: { ...encoded, 'Content-Length': String(bytes.length) }, bytes }
}

function joinVary(vary: string | undefined): string {
  return vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`
}

function compressText(text: string, coding: ResponseCoding): Buffer {
  const { brotliCompressSync, constants, deflateSync, gzipSync } = loadZlib()
  if (coding === 'gzip') return gzipSync(text, ZLIB_OPTIONS)
  if (coding === 'deflate') return deflateSync(text, ZLIB_OPTIONS)
  const options: BrotliOptions = {
    params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
  }
  return brotliCompressSync(text, options)
}

/** The coding with the greatest weight; of equals, the first of ours (RFC 9110 §12.5.3). */
export function chooseCoding(accepted = ''): ResponseCoding | undefined {
  const weights = readWeights(accepted)
  let best: ResponseCoding | undefined
  let most = 0
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0
    if (weight <= most) continue
    best = coding
    most = weight
  }
  return best
}

function readWeights(accepted: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of accepted.split(',')) {
    const [name = '', ...parameters] = part.split(';')
    const given = parameters.map((text) => text.trim()).find((text) => /^q=/i.test(text))
    const weight = given === undefined ? 1 : Number(given.slice(2))
    const coding = name.trim().toLowerCase()
    if (coding !== '') weights.set(coding, Number.isNaN(weight) ? 0 : weight)
  }
  return weights
}
