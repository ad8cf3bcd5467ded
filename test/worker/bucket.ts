// A stand-in for an S3 bucket, as far as a cluster of workerd uses one: objects in memory with ETags, conditional writes, ranges, lists.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Stored {
  readonly body: Buffer
  readonly etag: string
  readonly at: Date
}

export interface Bucket {
  readonly url: string
  readonly size: () => number
  close(): void
}

export async function startBucket(): Promise<Bucket> {
  const objects = new Map<string, Stored>()
  let writes = 0

  function put(key: string, body: Buffer): string {
    const etag = createHash('md5').update(body).update(String(++writes)).digest('hex')
    objects.set(key, { body, etag, at: new Date() })
    return etag
  }

  function answer(request: IncomingMessage, sent: Buffer, response: ServerResponse): unknown {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket')
    const key = decodeURIComponent(pathname).split('/').slice(2).join('/')
    const found = objects.get(key)
    const { method, headers } = request
    if (key === '' && method === 'GET') return sendXml(response, 200, toList(objects, searchParams))
    if (key === '' && method === 'POST') {
      for (const [, name] of sent.toString().matchAll(/<Key>([^<]*)<\/Key>/g)) objects.delete(name as string)
      return sendXml(response, 200, '<DeleteResult></DeleteResult>')
    }
    if (method === 'PUT' || method === 'DELETE') {
      const expected = headers['if-match']?.replaceAll('"', '')
      if (expected !== undefined && !found) return sendError(response, 404, 'NoSuchKey')
      if ((headers['if-none-match'] === '*' && found) || (expected !== undefined && expected !== found?.etag))
        return sendError(response, 412, 'PreconditionFailed')
      if (method === 'PUT') return response.writeHead(200, { etag: `"${put(key, decodeChunks(request, sent))}"` }).end()
      objects.delete(key)
      return response.writeHead(204).end()
    }
    if (!found) return sendError(response, 404, 'NoSuchKey')
    if (headers['if-none-match']?.replaceAll('"', '') === found.etag) return response.writeHead(304, { etag: `"${found.etag}"` }).end()
    const { status, fields, body } = toPart(found.body, headers.range)
    response.writeHead(status, {
      etag: `"${found.etag}"`,
      'last-modified': found.at.toUTCString(),
      'accept-ranges': 'bytes',
      'content-length': body.length,
      ...fields,
    })
    return response.end(method === 'HEAD' ? undefined : body)
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk)).on('end', () => answer(request, Buffer.concat(chunks), response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    size: () => objects.size,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function sendXml(response: ServerResponse, status: number, xml: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0" encoding="UTF-8"?>${xml}`)
}

function sendError(response: ServerResponse, status: number, code: string): void {
  sendXml(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

/** A body that was signed in pieces has their sizes in between. */
function decodeChunks({ headers }: IncomingMessage, body: Buffer): Buffer {
  if (!String(headers['x-amz-content-sha256']).startsWith('STREAMING')) return body
  const pieces: Buffer[] = []
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.subarray(at, end).toString(), 16)
    if (!size) return Buffer.concat(pieces)
    pieces.push(body.subarray(end + 2, end + 2 + size))
    at = end + 4 + size
  }
}

function toPart(body: Buffer, range = ''): { status: number; fields: Record<string, string>; body: Buffer } {
  const match = /^bytes=(\d*)-(\d*)$/.exec(range)
  if (!match) return { status: 200, fields: {}, body }
  const size = body.length
  const first = match[1] === '' ? Math.max(0, size - Number(match[2])) : Number(match[1])
  const last = match[1] === '' || match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  return { status: 206, fields: { 'content-range': `bytes ${first}-${last}/${size}` }, body: body.subarray(first, last + 1) }
}

function toList(objects: ReadonlyMap<string, Stored>, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter')
  const after = query.get('start-after') ?? ''
  const folders = new Set<string>()
  const files: string[] = []
  for (const [key, { body, etag, at }] of [...objects].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (!key.startsWith(prefix) || key <= after) continue
    const end = delimiter ? key.indexOf(delimiter, prefix.length) : -1
    if (end >= 0) folders.add(key.slice(0, end + 1))
    else
      files.push(
        `<Contents><Key>${toXmlText(key)}</Key><LastModified>${at.toISOString()}</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>${body.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
      )
  }
  const common = [...folders].map((folder) => `<CommonPrefixes><Prefix>${toXmlText(folder)}</Prefix></CommonPrefixes>`)
  const count = files.length + folders.size
  return `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>mock</Name><Prefix>${toXmlText(prefix)}</Prefix><KeyCount>${count}</KeyCount><MaxKeys>100000</MaxKeys><IsTruncated>false</IsTruncated>${files.join('')}${common.join('')}</ListBucketResult>`
}

function toXmlText(text: string): string {
  return text.replace(/[<>&]/g, (character) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;' })[character] as string)
}
