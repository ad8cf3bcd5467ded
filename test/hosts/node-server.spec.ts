import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { LINGER_MS, MAX_WAITING_REQUESTS } from '../../src/contract/limits.ts'
import { type ServeOptions, type Serving, serve } from '../../src/hosts/node/serve.ts'
import { createMock, type MockOptions } from '../../src/mock/mock.ts'
import { animals } from '../support/animals.ts'

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

/**
 * Opens a connection, sends the pieces one by one, and reads until the server closes it or `enough`
 * is there.
 */
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
      for (const piece of pieces)
        await new Promise<void>((sent) => socket.write(piece, () => setImmediate(sent)))
    })
  })
}

/** The same, with each piece in a separate packet. */
async function talkApart(port: number, [first, second]: [string, string]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await new Promise<void>((sent) => socket.write(first, () => sent()))
  await pause(50)
  socket.write(second)
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}

const lines = (...parts: string[]) => `${parts.join('\r\n')}\r\n\r\n`
const statusOf = (text: string) => Number(text.split(' ')[1])
const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]))
/** For what cannot be seen from outside: that bytes which were sent have arrived. */
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('a message that cannot be read', () => {
  const get = (id: number, ...more: string[]) =>
    lines(`GET /v1/pets/${id} HTTP/1.1`, 'Host: localhost', KEY, ...more)
  const post = (body: string, length: number, ...more: string[]) =>
    lines(
      'POST /v1/pets HTTP/1.1',
      'Host: localhost',
      KEY,
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      ...more,
    ) + body
  const ANIMAL = '{"name":"Pip","categoryId":1}'

  it('does not prevent the response to the request before it, also if that ends in the same packet', async () => {
    const { port, mock } = await start({ pets: [] })
    const request = post(ANIMAL, ANIMAL.length)
    expect(
      statusesOf(await talkApart(port, [request.slice(0, -5), `${request.slice(-5)}junk\r\n\r\n`])),
    ).toEqual([201, 400])
    expect(mock.control.summary().pets).toBe(1)
  })

  it('is answered after a delayed response before it, and after the latency', async () => {
    const { port } = await start({ pets: animals, latency: 20 })
    expect(statusesOf(await talk(port, ['junk\r\n\r\n']))).toEqual([400])
    const broken = `${lines('POST /v1/pets HTTP/1.1', 'Host: localhost', KEY, 'Transfer-Encoding: chunked')}zz`
    expect(statusesOf(await talk(port, [get(1) + broken]))).toEqual([200, 400])
    expect(statusesOf(await talk(port, [broken.replace('localhost', 'evil.example')]))).toEqual([
      403,
    ])
  })

  it('does not count as another use of a fault', async () => {
    const { port, mock } = await start({
      pets: animals,
      faults: [{ operation: 'getPet', status: 503, times: 2 }],
    })
    expect(statusesOf(await talk(port, [`${get(1)}junk\r\n\r\n`]))).toEqual([503, 400])
    expect(mock.control.faults.list()).toMatchObject([{ applied: 1 }])
  })
})

it('a bug in the mock ends its own request with 500, or its connection', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const bug = vi.fn().mockThrow(new Error('a bug'))
  const { port, close } = await serve({ ...createMock(), answer: bug, refuse: bug })
  onTestFinished(close)
  const text = await talk(port, [lines('GET /v1/pets HTTP/1.1', 'Host: localhost', KEY)])
  expect(text).toMatch(
    /^HTTP\/1\.1 500 .*\r\nContent-Type: application\/json\r\n.*\r\nX-Mock-Bug: 1\r\n.*"code":"InternalServerError".*"status":500\}$/s,
  )
  expect(await talk(port, ['junk\r\n\r\n'])).toBe('')
  expect(log).toHaveBeenCalledTimes(2)
})

describe('pipelined requests', () => {
  const get = (target: string, ...more: string[]) =>
    lines(`GET ${target} HTTP/1.1`, 'Host: localhost', KEY, ...more)
  const post = (...more: string[]) =>
    `${lines('POST /v1/pets HTTP/1.1', 'Host: localhost', KEY, 'Content-Type: application/json', 'Content-Length: 29', ...more)}{"name":"Pip","categoryId":1}`

  it('are carried out and answered in their order, each after the response to the one before it', async () => {
    const { port, mock } = await start()
    const before: number[] = []
    mock.control.subscribe(
      ({ type }) => void (type === 'begin' && before.push(mock.control.requests().length)),
    )
    const text = await talk(port, [
      get('/v1/pets/1', 'Prefer: delay=5').repeat(32) + get('/v1/pets/2', 'Connection: close'),
    ])
    expect([...text.matchAll(/"id":(\d)/g)].map(([, id]) => id)).toEqual([
      ...Array(32).fill('1'),
      '2',
    ])
    expect(before).toEqual(Array.from({ length: 32 }, (_, index) => index))
  })

  it('close their connection if more than 32 of them wait, and get no response', async () => {
    const { port, mock } = await start()
    expect(
      await talk(port, [
        get('/v1/pets/1', 'Prefer: delay=60000') +
          get('/v1/pets/2').repeat(MAX_WAITING_REQUESTS + 1),
      ]),
    ).toBe('')
    const rows = mock.control.requests()
    expect(rows.map(({ outcome }) => outcome)).not.toContain('sent')
    expect(rows.filter(({ error }) => error !== null)).toMatchObject([
      { target: '/v1/pets/2', outcome: 'dropped', status: 0 },
    ])
  })

  it('drop the connection only after the earlier responses', async () => {
    const { port, mock } = await start()
    expect(
      statusesOf(
        await talk(port, [
          get('/v1/pets/1', 'Prefer: delay=30') + get('/v1/pets/2', 'Prefer: drop') + post(),
        ]),
      ),
    ).toEqual([200])
    expect(mock.control.requests().map(({ outcome }) => outcome)).toEqual(['sent', 'dropped'])
  })
})

describe('a head of many small fields', () => {
  const FILLER = Array.from({ length: 1_499 }, () => 'a:b')
  const ask = async (line: string, fields: string[], body = '') => {
    const { port, mock } = await start({ pets: [] })
    const text = await talk(port, [lines(line, ...fields, 'Connection: close') + body])
    return { status: statusOf(text), pets: mock.control.summary().pets }
  }

  it.each([
    ['Origin', 'Origin: http://evil.example'],
    ['Sec-Fetch-Site', 'Sec-Fetch-Site: cross-site'],
  ])(
    'is read to its end by the control API, which refuses a foreign %s there',
    async (_, field) => {
      expect(
        await ask('POST /__mock/reset HTTP/1.1', [
          'Host: localhost',
          'X-Mock-Control: 1',
          ...FILLER,
          field,
        ]),
      ).toMatchObject({
        status: 403,
      })
    },
  )

  it('is refused with 431 if names and values are too long together', async () => {
    // Names and values are counted, without what stands between them.
    const tooMany = Array.from({ length: 8_200 }, () => 'a:b')
    expect(await ask('GET /v1/pets HTTP/1.1', ['Host: localhost', KEY, ...tooMany])).toMatchObject({
      status: 431,
    })
  })
})

describe('a client that leaves', () => {
  it.each(['destroy', 'resetAndDestroy'] as const)(
    'before its response (%s) is aborted in the request log',
    async (leave) => {
      const { port, mock } = await start()
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      await new Promise((resolve) =>
        socket.write(
          lines('GET /v1/pets/1 HTTP/1.1', 'Host: localhost', KEY, 'Prefer: delay=5000'),
          resolve,
        ),
      )
      await pause(50)
      expect(mock.control.requests()).toEqual([])
      socket[leave]()
      // Long before the delay is over.
      await vi.waitFor(() =>
        expect(mock.control.requests()).toMatchObject([
          { target: '/v1/pets/1', status: 0, outcome: 'aborted' },
        ]),
      )
    },
  )

  it('before the response to a message that cannot be read is aborted in the log', async () => {
    const { port, mock } = await start({ pets: animals, latency: 2_000 })
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write('hello\r\n\r\n')
    await vi.waitFor(() => expect(mock.control.requests({ waiting: true })).toHaveLength(1), 10_000)
    socket.resetAndDestroy()
    await vi.waitFor(
      () =>
        expect(mock.control.requests()).toMatchObject([
          { method: '', status: 0, outcome: 'aborted' },
        ]),
      10_000,
    )
  })
})

describe('a client that closes its side of the connection in the middle of a request', () => {
  const chunks = lines(
    'POST /v1/pets HTTP/1.1',
    'Host: localhost',
    KEY,
    'Transfer-Encoding: chunked',
  )
  it.each<[what: string, bytes: string, statuses: number[]]>([
    ['half a line', 'GET /v1/pe', []],
    ['half a head', 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX', []],
    [
      'half a body',
      `${lines('POST /v1/pets HTTP/1.1', 'Host: localhost', KEY, 'Content-Length: 9')}{`,
      [],
    ],
    ['half a chunk', `${chunks}9\r\n{`, []],
    ['a chunk that cannot be read', `${chunks}zz\r\n{`, [400]],
    [
      'a body that is announced as too large',
      lines('POST /v1/pets HTTP/1.1', 'Host: localhost', KEY, 'Content-Length: 99999999'),
      [413],
    ],
    [
      'half a line after a list',
      `${lines('GET /v1/pets HTTP/1.1', 'Host: localhost', KEY)}GET /v1/pe`,
      [200],
    ],
  ])('is not waited for: %s', async (_what, bytes, statuses) => {
    const { port } = await start()
    const waits: number[] = []
    for (const pieces of [
      [bytes, ''],
      [bytes.slice(0, -1), bytes.slice(-1)],
      [bytes, ''],
      [bytes, ''],
    ] as const) {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      const startedAt = performance.now()
      await new Promise<void>((sent) => socket.write(pieces[0], () => setImmediate(sent)))
      socket.end(pieces[1])
      expect(statusesOf(Buffer.concat(await socket.toArray()).toString())).toEqual(statuses)
      waits.push(performance.now() - startedAt)
    }
    // A busy machine can make one of them late.
    expect(Math.min(...waits)).toBeLessThan(LINGER_MS / 2)
  })
})

it('a client that goes on sending after a message that cannot be read gets to read its responses', async () => {
  const { port } = await start()
  const socket = connect(port, '127.0.0.1').pause()
  socket.write(`${lines('GET /v1/pets HTTP/1.1', 'Host: localhost', KEY)}BREW\r\n\r\n`)
  for (let piece = 0; piece < 3; piece++) {
    await pause(30)
    socket.write('y')
  }
  expect(statusesOf(Buffer.concat(await socket.toArray()).toString())).toEqual([200, 400])
})

it.each(['destroy', 'resetAndDestroy'] as const)(
  'the server makes one response at a time for a client that does not read, until it leaves (%s)',
  async (leave) => {
    const pets = Array.from({ length: 100 }, (_, index) => ({
      id: index + 1,
      name: 'n'.repeat(200_000),
      categoryId: 1,
    }))
    const { port, url, mock } = await start({ pets })
    const socket = connect(port, '127.0.0.1').pause()
    socket.on('error', () => {})
    socket.write(lines('GET /v1/pets?limit=100 HTTP/1.1', 'Host: localhost', KEY).repeat(30))
    await vi.waitFor(() => expect(mock.control.requests()).toHaveLength(1))
    await pause(300)
    expect(mock.control.requests()).toHaveLength(1)
    socket[leave]()
    expect(
      (await fetch(`${url}/pets?limit=1`, { headers: { authorization: 'Bearer k' } })).status,
    ).toBe(200)
    expect(mock.control.requests()).toHaveLength(2)
  },
)

describe('request bodies', () => {
  const head = (...fields: string[]) =>
    lines('POST /v1/pets HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', ...fields)
  const body = '{"name":"Pip","categoryId":1}'

  it('over 1 MiB close the connection, and requests after them are not carried out', async () => {
    const { port, mock } = await start({ pets: [] })
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const create = head(KEY, `Content-Length: ${body.length}`) + body
    const text = await talk(port, [
      `${head(KEY, 'Transfer-Encoding: chunked')}${chunk.repeat(17)}0\r\n\r\n${create}`,
    ])
    expect(statusesOf(text)).toEqual([413])
    expect(mock.control.state().pets).toEqual([])
    expect(mock.control.requests()).toMatchObject([{ status: 413, lacks: 'body' }])
  })

  it.each(['end', 'resetAndDestroy'] as const)(
    'that break off change no state and are not in the request log: %s',
    async (leave) => {
      const { port, mock } = await start()
      const socket = connect(port, '127.0.0.1')
      await new Promise<void>((sent) =>
        socket.write(`${head(KEY, 'Content-Length: 99')}{"name"`, () => sent()),
      )
      await pause(20)
      socket[leave]()
      if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
      expect(
        statusOf(
          await talk(port, [
            lines('GET /v1/pets HTTP/1.1', 'Host: localhost', KEY, 'Connection: close'),
          ]),
        ),
      ).toBe(200)
      expect(mock.control.requests().map(({ operation }) => operation)).toEqual(['listPets'])
    },
  )
})

describe('a server', () => {
  it('listens on both loopback addresses', async () => {
    const { port } = await start()
    const reach = (host: string, at = port) =>
      new Promise((resolve, reject) => {
        const socket: Socket = connect(at, host, () => resolve(socket.destroy()))
        socket.on('error', reject)
      })
    await reach('127.0.0.1')
    await reach('::1')
    const { port: another } = await start({}, { host: '0.0.0.0' })
    await expect(reach('::1', another)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it.each([[createMock(), { host: '' }], [createMock(), { host: 7 }], [{}]])(
    'refuses the arguments %#',
    (mock, options?: object) =>
      expect(serve(mock as never, options)).rejects.toMatchObject({
        name: 'UsageError',
        message: expect.stringMatching(/^serve/),
      }),
  )

  it('says where its control API is, and its token, unless that is off', async () => {
    const controlToken = 'a-token-of-16-ch'
    const { port, ...on } = await start({}, { controlToken })
    expect(on).toMatchObject({ controlUrl: `http://127.0.0.1:${port}/__mock`, controlToken })
    expect(await start({}, { controlToken, control: false })).toMatchObject({
      controlUrl: undefined,
      controlToken: undefined,
    })
  })

  it('stops at once when no request is running, also with idle connections', async () => {
    const { port, close } = await start()
    const silent = connect(port, '127.0.0.1')
    await new Promise((resolve) => silent.once('connect', resolve))
    await talk(port, [lines('GET /v1/pets HTTP/1.1', 'Host: localhost', KEY)], /\]$/)
    const before = performance.now()
    await close()
    expect(performance.now() - before).toBeLessThan(1_000)
    await expect(talk(port, [])).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('answers a delayed request at once when it stops, with Connection: close', async () => {
    const { port, close, mock } = await start()
    const body = '{"name":"Late","categoryId":1}'
    const fields = [
      KEY,
      'Prefer: delay=50000',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    const answer = talk(port, [
      lines('POST /v1/pets HTTP/1.1', 'Host: localhost', ...fields) + body,
    ])
    while (mock.control.summary().pets === animals.length) await pause(5)
    const before = performance.now()
    await close()
    const text = await answer
    expect(statusOf(text)).toBe(201)
    expect(text).toContain('Connection: close')
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  it('stops and closes half-sent requests after two seconds', async () => {
    const { port, close } = await start()
    const half = talk(port, [
      'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{',
    ])
    await pause(50)
    const before = performance.now()
    await close()
    expect(performance.now() - before).toBeGreaterThan(1_900)
    expect(performance.now() - before).toBeLessThan(2_500)
    expect(await half).toBe('')
  })

  it('serves under fake timers, and without setImmediate', async () => {
    vi.useFakeTimers()
    const { setImmediate } = globalThis
    try {
      globalThis.setImmediate = undefined as unknown as typeof setImmediate
      const { port, close } = await start()
      const request = lines(
        'GET /v1/pets/1 HTTP/1.1',
        'Host: localhost',
        KEY,
        'Prefer: delay=5',
        'Connection: close',
      )
      const text = await new Promise<string>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(request))
        socket.on('data', (chunk) => resolve(String(chunk)))
      })
      expect(statusOf(text)).toBe(200)
      await close()
    } finally {
      globalThis.setImmediate = setImmediate
      vi.useRealTimers()
    }
  })

  it('drops a client that does not finish its request in time, with a 408 if it has sent a part', async () => {
    const { port, mock } = await start({}, { requestTimeout: 1_000 })
    const before = performance.now()
    const texts = await Promise.all([
      talk(port, ['GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n']),
      talk(port, []),
      talk(port, ['GET /v1/pe']),
      talk(port, [lines('GET /v1/pets HTTP/1.1', 'Host: localhost', KEY, 'Content-Length: 9')]),
    ])
    expect(texts.map(statusesOf)).toEqual([[408], [], [408], [408]])
    expect(performance.now() - before).toBeLessThan(4_500)
    expect(mock.control.requests().map(({ target, status }) => [target, status])).toEqual([
      ['', 408],
      ['', 408],
      ['/v1/pets', 408],
    ])
  })
})

describe('compressed responses', () => {
  it.each([
    ['br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['deflate', 'deflate'],
  ])('a request that accepts %s gets %s', async (accepted, coding) => {
    const { url } = await start({ pets: animals }, { compress: true })
    const headers = { authorization: 'Bearer k', 'accept-encoding': accepted }
    const response = await fetch(`${url}/pets`, { headers })
    expect(response.headers.get('content-encoding')).toBe(coding)
    expect(response.headers.get('vary')).toBe('Origin, Accept-Encoding')
    expect(await response.json()).toEqual(animals)
    const head = await fetch(`${url}/pets`, { method: 'HEAD', headers })
    expect(head.headers.get('content-encoding')).toBe(coding)
    expect(head.headers.get('content-length')).toBe(null)
  })

  it('are not the default, and not those of the control API', async () => {
    const plain = await start()
    const compressing = await start({}, { compress: true })
    const addresses = [`${plain.url}/pets/1`, `${compressing.controlUrl}/health`]
    for (const address of addresses) {
      const { headers } = await fetch(address, { headers: { 'accept-encoding': 'gzip' } })
      expect(headers.get('content-encoding')).toBe(null)
    }
  })
})
