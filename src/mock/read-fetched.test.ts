// Classes of another realm, as those of jsdom are for the platform's Request.
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Call, Reply } from '../service/call.ts'
import { createFetch } from './fetch.ts'

const ADDRESS = 'http://mock.test/v1/pets'
const PIP = '{"name":"Pip","categoryId":1}'

/** Lets `fetch` ask a service with a request, and returns the call that the service got. */
async function askWith(input: RequestInfo | URL, init?: object) {
  const calls: Call[] = []
  const answer = (call: Call): Reply => {
    calls.push(call)
    return { status: 200, headers: {}, body: '[]' }
  }
  await createFetch({ answer })(input, init as RequestInit)
  const [call] = calls
  const text = new TextDecoder().decode(call?.body)
  return { method: call?.method, headers: call?.headers, text }
}

/** An object with the members and the tag of another realm's class. */
function foreign<T extends object>(tag: string, members: T): T {
  return Object.defineProperty(members, Symbol.toStringTag, { value: tag })
}

const foreignFile = foreign('File', {
  name: 'a "b".txt',
  type: 'text/plain',
  arrayBuffer: async () => new TextEncoder().encode('hi').buffer,
})

it('keeps everything of a request with a signal of another realm', async () => {
  // As Vitest does it with jsdom: the fields are copied.
  const Platform = Request
  class CopyingRequest extends Platform {
    constructor(input: RequestInfo | URL, init: RequestInit) {
      super(input, { ...init })
    }
  }
  vi.stubGlobal('Request', CopyingRequest)
  onTestFinished(() => void vi.unstubAllGlobals())
  const signal = Object.assign(new EventTarget(), { aborted: false, throwIfAborted() {} })
  const headers = { 'x-one': '1', 'content-type': 'application/json' }
  expect(await askWith(ADDRESS, { method: 'POST', headers, body: PIP, signal })).toEqual({
    method: 'POST',
    headers,
    text: PIP,
  })
})

it('reads fields that are getters', async () => {
  class Options {
    get method() {
      return 'POST'
    }
    get body() {
      return PIP
    }
  }
  expect(await askWith(ADDRESS, new Options())).toMatchObject({ method: 'POST', text: PIP })
})

it('keeps the header fields of another realm, and those of a library that cannot iterate', async () => {
  const headers = { forEach: (add: (value: string, name: string) => void) => add('1', 'x-one') }
  expect(await askWith(ADDRESS, { headers })).toMatchObject({ headers: { 'x-one': '1' } })
})

it('reads a Blob of another realm, whose type is the content type unless the client gives one', async () => {
  const body = foreign('Blob', {
    type: 'application/json',
    arrayBuffer: async () => new TextEncoder().encode(PIP).buffer,
  })
  expect(await askWith(ADDRESS, { method: 'POST', body })).toEqual({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    text: PIP,
  })
  const headers = { 'content-type': 'text/plain' }
  expect(await askWith(ADDRESS, { method: 'POST', body, headers })).toMatchObject({ headers })
})

it('reads the Blob of jsdom 26, which only a FileReader can read', async () => {
  class ForeignReader extends EventTarget {
    result: unknown
    readAsArrayBuffer(blob: { text: string }) {
      this.result = new TextEncoder().encode(blob.text).buffer
      queueMicrotask(() => this.dispatchEvent(new Event('load')))
    }
  }
  vi.stubGlobal('FileReader', ForeignReader)
  onTestFinished(() => void vi.unstubAllGlobals())
  const body = foreign('Blob', { type: 'text/plain', text: PIP })
  expect(await askWith(ADDRESS, { method: 'POST', body })).toMatchObject({ text: PIP })
})

it('reads a form of another realm, with its files', async () => {
  const fields = [
    ['name', 'Pip\nQ'],
    ['f', foreignFile],
  ]
  const body = foreign('FormData', { [Symbol.iterator]: () => fields.values() })
  const { headers, text } = await askWith(ADDRESS, { method: 'POST', body })
  const type = headers?.['content-type'] ?? ''
  const form = await new Response(text, { headers: { 'content-type': type } }).formData()
  const file = form.get('f') as File
  expect([form.get('name'), file.name, file.type, await file.text()]).toEqual([
    'Pip\r\nQ',
    'a "b".txt',
    'text/plain',
    'hi',
  ])
})

it('reads the parameters and the stream of another realm', async () => {
  const parameters = foreign('URLSearchParams', { toString: () => 'a=1&b=2' })
  expect(await askWith(ADDRESS, { method: 'POST', body: parameters })).toEqual({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    text: 'a=1&b=2',
  })
  const stream = { getReader: () => new Response(PIP).body?.getReader() }
  expect(await askWith(ADDRESS, { method: 'POST', body: stream })).toMatchObject({ text: PIP })
})

it('completes a request of another realm with the fields beside it', async () => {
  const request = {
    url: ADDRESS,
    method: 'POST',
    headers: new Headers({ 'x-one': '1' }),
    arrayBuffer: async () => new TextEncoder().encode(PIP).buffer,
  } as unknown as Request
  expect(await askWith(request, { signal: null })).toEqual({
    method: 'POST',
    headers: { 'x-one': '1' },
    text: PIP,
  })
  expect(await askWith(request, { method: 'PUT', body: 'other', headers: {} })).toMatchObject({
    method: 'PUT',
    text: 'other',
  })
})

it('refuses a body for a GET, and a stream without duplex, as the platform does', async () => {
  await expect(askWith(ADDRESS, { body: PIP })).rejects.toThrow(TypeError)
  const body = new Response(PIP).body
  await expect(askWith(ADDRESS, { method: 'POST', body })).rejects.toThrow(TypeError)
})
