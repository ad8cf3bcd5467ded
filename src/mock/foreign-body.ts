// Reads forms and blobs by what they can do. The platform's Request goes by their classes, but
// jsdom and polyfills have other ones.
import { MAX_BODY_BYTES } from '../contract/limits.ts'
import { isStream, joinBytes, readStream } from './read-stream.ts'

interface ReadBody {
  readonly body: Uint8Array<ArrayBuffer>
  /** The content type, unless the client gives one. */
  readonly type: string
}

const FORM_TYPE = 'application/x-www-form-urlencoded;charset=UTF-8'

/** Nothing for texts and buffers, and for streams of the platform: Request takes them. */
export async function readForeignBody(
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<ReadBody | undefined> {
  const kind = Object.prototype.toString.call(body).slice('[object '.length, -1)
  if (kind === 'URLSearchParams') return { body: toBytes(String(body)), type: FORM_TYPE }
  if (kind === 'FormData') return readForm(body as FormData)
  if (kind === 'Blob' || kind === 'File') {
    const blob = body as Blob
    return { body: await readBlob(blob), type: blob.type }
  }
  if (isStream(body) && !(body instanceof ReadableStream))
    return { body: await readStream(body, MAX_BODY_BYTES, signal), type: '' }
  return undefined
}

/** As `multipart/form-data` (RFC 7578). */
async function readForm(form: FormData): Promise<ReadBody> {
  const boundary = `----form-${Math.random().toString(36).slice(2)}`
  const chunks: Uint8Array[] = []
  const add = (text: string) => chunks.push(toBytes(text))
  for (const [name, value] of form) {
    add(`--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"`)
    if (typeof value === 'string') {
      add(`\r\n\r\n${value.replace(/\r?\n|\r/g, '\r\n')}\r\n`)
      continue
    }
    const type = value.type || 'application/octet-stream'
    add(`; filename="${escapeName(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`)
    chunks.push(await readBlob(value))
    add('\r\n')
  }
  add(`--${boundary}--\r\n`)
  return { body: joinBytes(chunks), type: `multipart/form-data; boundary=${boundary}` }
}

const toBytes = (text: string) => new TextEncoder().encode(text)

/** As HTML does it. */
const escapeName = (name: string): string =>
  name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')

async function readBlob(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof blob.arrayBuffer === 'function') return new Uint8Array(await blob.arrayBuffer())
  // jsdom 26 has only this.
  const reader = new FileReader()
  await new Promise((resolve, reject) => {
    reader.addEventListener('load', resolve)
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsArrayBuffer(blob)
  })
  return new Uint8Array(reader.result as ArrayBuffer)
}
