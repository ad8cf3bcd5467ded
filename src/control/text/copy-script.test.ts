import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UNSAFE } from '../../contract/escape.ts'
import { type CommandRequest, hasType, type TestedRequest } from './copy-logged.ts'
import { quoteForScript, renderFetch, renderLiteral, renderTests } from './copy-script.ts'

const mockUrl = 'http://127.0.0.1:7387'
const AsyncFunction = (async () => {}).constructor as new (
  ...names: string[]
) => (...values: unknown[]) => Promise<unknown>

/** Runs code that should call fetch alone; gives what it was called with. */
async function runCode(code: string): Promise<unknown[]> {
  let seen: unknown[] = []
  const record = (...given: unknown[]) => {
    seen = given
  }
  await new AsyncFunction('fetch', code)(record)
  return seen
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom("'); throw 1; ('", '\\', "\\'", `\`\u0024{1}\``, '\u2028', '\u202e'),
  fc.constantFrom('*/', '</script>', '__proto__', '//evil.example/x', '#x', '*'),
)
const requests = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', "PO'ST"),
  mockUrl: fc.constant(mockUrl),
  target: hostile,
  headers: fc.dictionary(hostile, hostile, { noNullPrototype: false }),
  body: hostile,
})

const isHidden = (code: string) => code.replaceAll('\n', '').search(UNSAFE) >= 0

describe('a copied string literal', () => {
  it('evaluates to the given text, and escapes invisible characters', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const literal = quoteForScript(text)
        expect(await new AsyncFunction(`return ${literal}`)()).toBe(text)
        expect(isHidden(literal)).toBe(false)
      }),
    )
  })
})

describe('renderLiteral', () => {
  it.each([
    [{ a: 1, 'b-c': [true, null, -1.5] }, "{ a: 1, 'b-c': [true, null, -1.5] }"],
    [{ id: 9223372036854775807n }, '{ id: 9223372036854775807n }'],
    [{}, '{}'],
  ])('writes %o as %s', (value, literal) => {
    expect(renderLiteral(value)).toBe(literal)
  })
})

describe('the copied fetch call', () => {
  it('sends the same method, headers and body to this mock, and runs nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const code = renderFetch(request)
        const [url, options = {}] = (await runCode(code)) as [
          string,
          Partial<CommandRequest> | undefined,
        ]
        expect(new URL(url).origin).toBe(mockUrl)
        expect(new URL(url).hash).toBe('')
        expect(options.method ?? 'GET').toBe(request.method)
        expect(Object.entries(options.headers ?? {})).toEqual(Object.entries(request.headers))
        const hasBody = request.method.startsWith('PO') && request.body !== ''
        // As bytes if it has no type, so that fetch adds none.
        const sent: unknown = options.body
        const body = ArrayBuffer.isView(sent)
          ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(sent)
          : sent
        expect(body).toBe(hasBody ? request.body : undefined)
        if (hasBody) expect(ArrayBuffer.isView(sent)).toBe(!hasType(request))
        expect(isHidden(code)).toBe(false)
      }),
    )
  })
})

describe('the copied test', () => {
  const tested: TestedRequest = {
    method: 'POST',
    mockUrl,
    target: '/v1/pets?x=1',
    about: 'as it was',
    headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
    body: '{"name":"Rex","categoryId":9007199254740993}',
    status: 503,
    operation: 'createPet',
    options: {
      scenario: 'sold-out',
      now: '2031-01-01T00:00:00.000Z',
      faults: [{ operation: 'createPet', status: 503 }],
    },
  }

  it('sends the request to a store in the same state and expects the same response', () => {
    expect(renderTests([tested])).toBe(`import { mockStore } from 'animal-store-mock/vitest'
import { expect, it } from 'vitest'

const store = mockStore({ scenario: 'sold-out', now: '2031-01-01T00:00:00.000Z', faults: [{ operation: 'createPet', status: 503 }] })

it('createPet gets 503', async () => {
  // Call your own code here instead.
  const response = await fetch(new URL(store.url).origin + '/v1/pets?x=1', {
    method: 'POST',
    headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
    body: '{"name":"Rex","categoryId":9007199254740993}',
  })
  expect(response.status).toBe(503)
  await expect(store).toHaveReceived('createPet', { status: 503, times: 1 })
})
`)
  })

  it('is short for a plain request that got no response', () => {
    const text = renderTests([
      { ...tested, method: 'GET', headers: {}, body: '', status: 0, operation: null, options: {} },
    ])
    expect(text.split('\n').slice(3, 6)).toEqual([
      'const store = mockStore()',
      '',
      "it('GET /v1/pets?x=1 gets no response', async () => {",
    ])
    expect(text.split('\n').slice(7, 9)).toEqual([
      "  await expect(fetch(new URL(store.url).origin + '/v1/pets?x=1')).rejects.toThrow()",
      '})',
    ])
    expect(renderTests([{ ...tested, status: 0 }])).toContain("toHaveReceived('createPet')")
  })

  it('runs and sends one request to this mock, for any text in the request', async () => {
    await fc.assert(
      fc.asyncProperty(requests, fc.integer({ min: 0, max: 599 }), async (request, status) => {
        const text = renderTests([{ ...tested, ...request, status }])
        expect(isHidden(text)).toBe(false)
        const code = text.replace(/^import .*$/gm, '')
        let ran = 0
        const expectAny = () => ({
          toBe() {},
          toHaveReceived: async () => {},
          rejects: { toThrow: async () => {} },
        })
        const store = { url: `${mockUrl}/v1` }
        const send = async (url: string) => {
          expect(new URL(url).origin).toBe(mockUrl)
          ran++
          return { status }
        }
        const names = ['mockStore', 'it', 'expect', 'fetch']
        const body = new AsyncFunction(
          ...names,
          `let running; ${code.replace('\nit(', '\nrunning = it(')}; await running`,
        )
        await body(
          () => store,
          (_: string, run: () => Promise<void>) => run(),
          expectAny,
          send,
        )
        expect(ran).toBe(1)
      }),
    )
  })
})
