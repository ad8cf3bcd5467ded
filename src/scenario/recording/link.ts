// A recording inside the fragment of an address, which browsers do not send to the site:
// `1.1834.12.eJx…` has the version, the length of what follows the last dot, the row to show (0 for
// none), and the recording, deflated, as base64url. Its letters need no quotes in a shell.
import { decodeBase64Url, encodeBase64Url } from '../../contract/base64url.ts'
import { UsageError } from '../../contract/errors.ts'
import { version } from '../../contract/generated/version.ts'
import { MAX_DOCUMENT_BYTES, MAX_LINK_CHARACTERS } from '../../contract/limits.ts'

/** A recording and the row that its link is about, if any. */
interface LinkedRecording {
  readonly recording: string
  readonly row?: number | undefined
}

/** In place of the name of a file. */
export const LINK_NAME = 'link'

/** A reader refuses a higher one. */
const LINK_FORMAT = 1
/** Deflated bytes become at most a thousand times as many, and each piece is inflated at once. */
const PIECE_BYTES = 4_096
const HEAD = /^#?(\d{1,9})\.(?:(\d{1,9})\.(\d{1,15})\.)?/
const ADVICE = 'copy all of it, or ask for the file'

export async function writeLink(linked: LinkedRecording): Promise<string> {
  const { recording, row = 0 } = linked
  const bytes = new TextEncoder().encode(recording)
  const deflated = await pass(bytes, new CompressionStream('deflate'), Number.POSITIVE_INFINITY)
  const data = encodeBase64Url(deflated)
  return `${LINK_FORMAT}.${data.length}.${row}.${data}`
}

/** Whether a text is meant as a link: an address, or the fragment of one. Others name a file. */
export function isLink(text: string): boolean {
  if (/^https?:\/\//i.test(text)) return true
  const [, , length] = HEAD.exec(text) ?? []
  return length !== undefined
}

/** Whatever the text is: the link may have been cut, damaged, or made to harm. */
export async function readLink(text: string): Promise<LinkedRecording> {
  const fragment = findFragment(text) ?? ''
  const max = MAX_LINK_CHARACTERS
  if (fragment.length > max) throw new UsageError(`This link is longer than ${max} characters`)
  const head = HEAD.exec(fragment)
  if (!head) throw new UsageError('This is not a link to a recording')
  const [whole, format, length, row] = head
  if (Number(format) > LINK_FORMAT)
    throw new UsageError(`This link is newer than animal-store-mock ${version} can read; update it`)
  if (length === undefined) throw new UsageError(`This link is cut; ${ADVICE}`)
  // What follows may be the end of a sentence.
  const data = fragment.slice(whole.length, whole.length + Number(length))
  if (data.length < Number(length)) {
    const amount = `it has ${data.length} of ${Number(length)} characters`
    throw new UsageError(`This link is cut: ${amount}; ${ADVICE}`)
  }
  return { recording: await readData(data), row: Number(row) || undefined }
}

/** Without an address, the text is the fragment. */
function findFragment(text: string): string | undefined {
  const start = text.indexOf('#')
  if (start >= 0) return text.slice(start)
  return /^\d/.test(text) ? text : undefined
}

async function readData(data: string): Promise<string> {
  try {
    const deflated = decodeBase64Url(data)
    const bytes = await pass(deflated, new DecompressionStream('deflate'), MAX_DOCUMENT_BYTES)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`This link is damaged; ${ADVICE}`)
  }
}

type Transform = CompressionStream | DecompressionStream

/** Passes bytes through a stream, piece by piece, and stops once too many have come out. */
async function pass(
  bytes: Uint8Array<ArrayBuffer>,
  transform: Transform,
  maxBytes: number,
): Promise<Uint8Array> {
  const writing = writePieces(bytes, transform.writable)
  // The reader reports the same error.
  writing.catch(() => {})
  const reader = transform.readable.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return join(chunks, length)
    length += value.length
    chunks.push(value)
    if (length <= maxBytes) continue
    reader.cancel().catch(() => {})
    throw new UsageError(`The recording in this link is longer than ${maxBytes} bytes`)
  }
}

/** A write resolves once the reader has taken what it made. */
async function writePieces(
  bytes: Uint8Array<ArrayBuffer>,
  writable: WritableStream<BufferSource>,
): Promise<void> {
  const writer = writable.getWriter()
  for (let start = 0; start < bytes.length; start += PIECE_BYTES)
    await writer.write(bytes.subarray(start, start + PIECE_BYTES))
  await writer.close()
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const joined = new Uint8Array(length)
  let end = 0
  for (const chunk of chunks) {
    joined.set(chunk, end)
    end += chunk.length
  }
  return joined
}
