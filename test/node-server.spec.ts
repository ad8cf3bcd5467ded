// What belongs to the server alone: framing, limits, the Host policy, and how it stops.
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ServeOptions, type Serving, serve } from '../src/hosts/node/serve.ts'
import { createMock, type MockOptions } from '../src/mock.ts'
import { animals } from './support/animals.ts'

const KEY = 'Authorization: Bearer k'

async function start(
  options: MockOptions = { pets: animals },
  serving: ServeOptions = {},
): Promise<Serving & { mock: ReturnType<typeof createMock> }> {
  const mock = createMock(options)
  const server = await serve(mock, serving)
  onTestFinished(server.close)
  return { ...server, mock }
}

/** Opens a connection, sends the pieces one by one, and reads until the server closes it or `enough` is there. */
function talk(port: number, pieces: (string | Uint8Array)[], enough?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
      if (enough?.test(text)) resolve(text)
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
    socket.on('connect', async () => {
      for (const piece of pieces) await new Promise<void>((sent) => socket.write(piece, () => setImmediate(sent)))
    })
  })
}

const lines = (...parts: string[]) => `${parts.join('\r\n')}\r\n\r\n`
const statusOf = (text: string) => Number(text.split(' ')[1])
const errorOf = (text: string) => JSON.parse(text.slice(text.indexOf('{')))

describe('requests that are not well-formed', () => {
  it.each<[title: string, request: string, status: number]>([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['a space in the target', lines('GET /v1/pets x HTTP/1.1', 'Host: localhost'), 400],
    ['no Host', lines('GET /v1/pets HTTP/1.1', KEY, 'Connection: close'), 400],
    ['two Hosts', lines('GET /v1/pets HTTP/1.1', 'Host: localhost', 'Host: localhost', 'Connection: close'), 400],
    ['a space before the colon', lines('GET /v1/pets HTTP/1.1', 'Host: localhost', 'X : y'), 400],
    [
      'a length and chunks at once',
      `${lines('POST /v1/pets HTTP/1.1', 'Host: localhost', 'Content-Length: 2', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
      400,
    ],
    ['two lengths', `${lines('POST /v1/pets HTTP/1.1', 'Host: localhost', 'Content-Length: 2', 'Content-Length: 3')}{}`, 400],
    ['a length that is no number', `${lines('POST /v1/pets HTTP/1.1', 'Host: localhost', 'Content-Length: 0x2')}{}`, 400],
    [
      'a chunk size that is no number',
      `${lines('POST /v1/pets HTTP/1.1', 'Host: localhost', KEY, 'Transfer-Encoding: chunked')}zz\r\n{}\r\n`,
      400,
    ],
    ['fields over 16 KiB', lines('GET /v1/pets HTTP/1.1', 'Host: localhost', `X: ${'y'.repeat(17_000)}`), 431],
    ['a target over 16 KiB', `GET /v1/pets?${'y'.repeat(20_000)}`, 414],
    ['an unknown expectation', lines('GET /v1/pets HTTP/1.1', 'Host: localhost', KEY, 'Expect: magic', 'Connection: close'), 417],
    ['a method that the parser does not know', lines('BREW /v1/pets HTTP/1.1', 'Host: localhost', KEY), 405],
    ['a method in small letters', lines('get /v1/pets HTTP/1.1', 'Host: localhost', KEY), 405],
    ['a tunnel', lines('CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443'), 403],
    ['a tunnel to ourselves', lines('CONNECT localhost:443 HTTP/1.1', 'Host: localhost:443'), 400],
    ['an unknown method for a foreign host', lines('BREW /v1/pets HTTP/1.1', 'Host: evil.example', KEY), 403],
  ])('%s gets an Error body, and the next connection an answer', async (_, request, status) => {
    const { port } = await start()
    const text = await talk(port, [request])
    expect(statusOf(text)).toBe(status)
    expect(text).toContain('Content-Type: application/json')
    expect(errorOf(text)).toMatchObject({ status })
    expect(statusOf(await talk(port, [lines('GET /v1/pets HTTP/1.1', 'Host: localhost', KEY, 'Connection: close')]))).toBe(200)
  })

  it('answers HTTP/1.0 without a Host', async () => {
    const { port } = await start()
    expect(statusOf(await talk(port, [lines('GET /v1/pets HTTP/1.0', KEY)]))).toBe(200)
  })

  it('answers pipelined requests in their order', async () => {
    const { port } = await start()
    const request = (id: number, more: string[] = []) => lines(`GET /v1/pets/${id} HTTP/1.1`, 'Host: localhost', KEY, ...more)
    const text = await talk(port, [request(1, ['Prefer: delay=30']) + request(2) + request(3, ['Connection: close'])])
    expect([...text.matchAll(/"id":(\d)/g)].map((match) => match[1])).toEqual(['1', '2', '3'])
  })

  it('does not mix an error into an answer that is still held back', async () => {
    const { port } = await start()
    const text = await talk(port, [`${lines('GET /v1/pets/1 HTTP/1.1', 'Host: localhost', KEY, 'Prefer: delay=5000')}garbage\r\n\r\n`])
    expect(text).toBe('')
  })
})

describe('bodies', () => {
  const head = (...fields: string[]) => lines('POST /v1/pets HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', ...fields)
  const body = '{"name":"Pip","categoryId":1}'

  it('may come in pieces and in chunks', async () => {
    const { port } = await start()
    const whole = [head(KEY, 'Connection: close', `Content-Length: ${body.length}`), ...body]
    expect(statusOf(await talk(port, whole))).toBe(201)
    const chunks = [...body].map((letter) => `1\r\n${letter}\r\n`)
    expect(statusOf(await talk(port, [head(KEY, 'Connection: close', 'Transfer-Encoding: chunked'), ...chunks, '0\r\n\r\n']))).toBe(201)
  })

  it('over 1 MiB are refused before they have arrived, whether announced or not', async () => {
    const { port } = await start()
    const announced = await talk(port, [head(KEY, 'Content-Length: 99999999'), 'x'])
    expect(statusOf(announced)).toBe(413)
    expect(announced).toContain('Connection: close')
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    expect(statusOf(await talk(port, [head(KEY, 'Transfer-Encoding: chunked'), ...Array(17).fill(chunk)]))).toBe(413)
  })

  it('that break off leave nothing behind, in the world or in the journal', async () => {
    const { port, mock } = await start()
    const socket = connect(port, '127.0.0.1')
    await new Promise<void>((sent) => socket.write(`${head(KEY, 'Content-Length: 99')}{"name"`, () => sent()))
    socket.end()
    await new Promise((resolve) => socket.once('close', resolve))
    expect(statusOf(await talk(port, [lines('GET /v1/pets HTTP/1.1', 'Host: localhost', KEY, 'Connection: close')]))).toBe(200)
    expect(mock.control.requests().map(({ operation }) => operation)).toEqual(['listPets'])
  })

  it('on a GET are read and mean nothing', async () => {
    const { port } = await start()
    expect(
      statusOf(await talk(port, [`${lines('GET /v1/pets HTTP/1.1', 'Host: localhost', KEY, 'Connection: close', 'Content-Length: 2')}{}`])),
    ).toBe(200)
  })

  it.each([
    ['401 for no key', [`Content-Length: ${body.length}`], 401],
    ['413 for too long a body', [KEY, 'Content-Length: 99999999'], 413],
  ])('that wait for permission get %s instead of a 100', async (_, fields, status) => {
    const { port } = await start()
    const text = await talk(port, [head(...fields, 'Expect: 100-continue')])
    expect(text).not.toContain('100 Continue')
    expect(statusOf(text)).toBe(status)
  })

  it('that wait for permission get it', async () => {
    const { port } = await start()
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let text = ''
    const answered = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        text += chunk
        if (text === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body)
      })
      socket.on('close', () => resolve())
    })
    socket.write(head(KEY, 'Expect: 100-continue', 'Connection: close', `Content-Length: ${body.length}`))
    await answered
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
  })
})

describe('the Host policy', () => {
  const ask = (port: number, host: string) => talk(port, [lines('GET /v1/pets HTTP/1.1', `Host: ${host}`, KEY, 'Connection: close')])

  it.each(['localhost', 'LOCALHOST:80', 'app.localhost:7387', '127.0.0.1', '127.0.0.1:7387', '[::1]:7387', '192.168.1.5', '[fe80::1]'])(
    'answers to %s',
    async (host) => {
      const { port } = await start()
      expect(statusOf(await ask(port, host))).toBe(200)
    },
  )

  it.each(['evil.example', 'localhost.evil.example', 'evil-localhost', '127.0.0.1.nip.io'])(
    'does not answer to %s, and names the flag',
    async (host) => {
      const { port } = await start()
      const text = await ask(port, host)
      expect(statusOf(text)).toBe(403)
      expect(errorOf(text).message).toContain(`--allowed-host ${host}`)
    },
  )

  it.each(['a b', 'user@localhost', 'localhost:port', 'a/b'])('refuses the malformed %s', async (host) => {
    const { port } = await start()
    expect(statusOf(await ask(port, host))).toBe(400)
  })

  it('answers to what it is told to', async () => {
    const { port } = await start({ pets: [] }, { allowedHosts: ['Mock.Example'] })
    expect(statusOf(await ask(port, 'mock.example:7387'))).toBe(200)
  })

  it('answers to anything when it is bound beyond loopback', async () => {
    const { port } = await start({ pets: [] }, { host: '0.0.0.0' })
    expect(statusOf(await ask(port, 'mock.example'))).toBe(200)
  })
})

describe('listening and stopping', () => {
  it('listens on both loopback addresses', async () => {
    const { port } = await start()
    const reach = (host: string) =>
      new Promise((resolve, reject) => {
        const socket: Socket = connect(port, host, () => resolve(socket.destroy()))
        socket.on('error', reject)
      })
    await reach('127.0.0.1')
    await reach('::1')
  })

  it('gives the address for clients, version segment included', async () => {
    const { url, port } = await start()
    expect(url).toBe(`http://127.0.0.1:${port}/v1`)
  })

  it('gives an address that can be used, though it is bound to all of them', async () => {
    const { url, port } = await start({ pets: [] }, { host: '0.0.0.0' })
    expect(url).toBe(`http://127.0.0.1:${port}/v1`)
    expect((await fetch(`${url}/pets`, { headers: { authorization: 'Bearer k' } })).status).toBe(200)
  })

  it('fails where the port is taken on either address', async () => {
    const { port } = await start()
    await expect(serve(createMock(), { port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await expect(serve(createMock(), { port, host: '::1' })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('stops at once when nothing runs, idle connections or not', async () => {
    const { port, close } = await start()
    await talk(port, [lines('GET /v1/pets HTTP/1.1', 'Host: localhost', KEY)], /\]$/)
    const before = performance.now()
    await close()
    expect(performance.now() - before).toBeLessThan(1_000)
    await expect(talk(port, [])).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('stops at once though a connection is open on which nothing has come', async () => {
    const { port, close } = await start()
    const quiet = connect(port, '127.0.0.1')
    await new Promise((resolve) => quiet.once('connect', resolve))
    await talk(port, [lines('GET /v1/pets HTTP/1.1', 'Host: localhost', KEY, 'Connection: close')])
    const before = performance.now()
    await close()
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  it('cuts a delay short and answers, with Connection: close', async () => {
    const { port, close, mock } = await start()
    const answer = talk(port, [lines('GET /v1/pets/1 HTTP/1.1', 'Host: localhost', KEY, 'Prefer: delay=50000')])
    while (mock.control.requests().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const before = performance.now()
    await close()
    const text = await answer
    expect(statusOf(text)).toBe(200)
    expect(text).toContain('Connection: close')
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  it('closes half-sent requests after two seconds', async () => {
    const { port, close } = await start()
    const half = talk(port, ['POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{'])
    await new Promise((resolve) => setTimeout(resolve, 50))
    const before = performance.now()
    await close()
    expect(performance.now() - before).toBeLessThan(2_500)
    await half
  })

  it('drops a client that does not get its request across', { timeout: 20_000 }, async () => {
    const { port } = await start()
    const before = performance.now()
    const text = await talk(port, ['GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n'])
    expect(statusOf(text)).toBe(408)
    expect(performance.now() - before).toBeLessThan(8_000)
  })
})
