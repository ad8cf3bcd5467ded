import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CommandRequest } from './to-command.ts'
import { type TestedRequest, toKitTest } from './to-kit-test.ts'
import { quoteForScript, toAxios, toFetch, toLiteral } from './to-script.ts'
import { UNSAFE } from './to-visible.ts'

const origin = 'http://127.0.0.1:7387'
const AsyncFunction = (async () => {}).constructor as new (...names: string[]) => (...values: unknown[]) => Promise<unknown>

/** Runs code in which these names are all that it should use; gives what they were called with. */
async function runCode(code: string, called: string): Promise<unknown[]> {
  let seen: unknown[] = []
  const record = (...given: unknown[]) => {
    seen = given
  }
  await new AsyncFunction('fetch', 'axios', code)(called === 'fetch' ? record : undefined, { request: record })
  return seen
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    "'); throw 1; ('",
    '\\',
    "\\'",
    `\`\u0024{1}\``,
    '\u2028',
    '\u202e',
    '*/',
    '</script>',
    '__proto__',
    '//evil.example/x',
    '#x',
    '*',
  ),
)
const requests = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', "PO'ST"),
  origin: fc.constant(origin),
  target: hostile,
  headers: fc.dictionary(hostile, hostile, { noNullPrototype: false }),
  body: hostile,
})

const isHidden = (code: string) => code.replaceAll('\n', '').search(UNSAFE) >= 0

describe('a string literal', () => {
  it('means the text, and hides nothing of it', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const literal = quoteForScript(text)
        expect(await new AsyncFunction(`return ${literal}`)()).toBe(text)
        expect(isHidden(literal)).toBe(false)
      }),
    )
  })
})

describe('a literal', () => {
  it.each([
    [{ a: 1, 'b-c': [true, null, -1.5] }, "{ a: 1, 'b-c': [true, null, -1.5] }"],
    [{ id: 9223372036854775807n }, '{ id: 9223372036854775807n }'],
    [{}, '{}'],
  ])('of %o is %s', (value, literal) => {
    expect(toLiteral(value)).toBe(literal)
  })

  it('has a field of the name __proto__ and no other prototype', async () => {
    const value = await new AsyncFunction(`return ${toLiteral(JSON.parse('{"__proto__":{"x":1}}'))}`)()
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.entries(value as object)).toEqual([['__proto__', { x: 1 }]])
  })
})

describe('fetch', () => {
  it('reads as a person would write it', () => {
    const request = {
      method: 'POST',
      origin,
      target: '/v1/pets',
      headers: { prefer: 'drop', 'content-type': 'a/b' },
      body: '{"a":"it\'s"}',
    }
    expect(toFetch(request)).toBe(`await fetch('${origin}/v1/pets', {
  method: 'POST',
  headers: { prefer: 'drop', 'content-type': 'a/b' },
  body: '{"a":"it\\'s"}',
})`)
    expect(toFetch({ method: 'GET', origin, target: '/v1/pets', headers: {} })).toBe(`await fetch('${origin}/v1/pets')`)
  })

  it('calls fetch alone, for this mock alone, with what was sent', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const code = toFetch(request)
        const [url, options = {}] = (await runCode(code, 'fetch')) as [string, Partial<CommandRequest> | undefined]
        expect(new URL(url).origin).toBe(origin)
        expect(new URL(url).hash).toBe('')
        expect(options.method ?? 'GET').toBe(request.method)
        expect(Object.entries(options.headers ?? {})).toEqual(Object.entries(request.headers))
        const hasBody = request.method.startsWith('PO') && request.body !== ''
        expect(options.body).toBe(hasBody ? request.body : undefined)
        expect(isHidden(code)).toBe(false)
      }),
    )
  })
})

describe('axios', () => {
  it('calls axios alone, for this mock alone, with what was sent', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const code = toAxios(request)
        const [config] = (await runCode(code, 'axios')) as [Record<string, unknown>]
        expect(new URL(String(config.url)).origin).toBe(origin)
        expect(config.method).toBe(request.method)
        expect(Object.entries(config.headers as object)).toEqual(Object.entries(request.headers))
        expect(config.data).toBe(request.body === '' ? undefined : request.body)
        expect(isHidden(code)).toBe(false)
      }),
    )
  })

  it.each([
    ['{"a":1}', false],
    [' {"a":1}', true],
    ['{"a":', true],
  ])('leaves the body %j to axios only if that sends it as it is', (body, isKept) => {
    expect(toAxios({ method: 'POST', origin, target: '/', headers: {}, body }).includes('transformRequest')).toBe(isKept)
  })
})

describe('a test', () => {
  const tested: TestedRequest = {
    method: 'POST',
    origin,
    target: '/v1/pets?x=1',
    headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
    body: '{"name":"Rex","categoryId":9007199254740993}',
    status: 503,
    operation: 'createPet',
    baseUrl: `${origin}/v1`,
    faults: [{ operation: 'createPet', status: 503 }],
    assume: { 'default-status': 'sold' },
    scenario: 'sold-out',
  }

  it('sends the request to a store in the same situation and expects the same response', () => {
    expect(toKitTest(tested)).toBe(`import { scenarios } from 'animal-store-mock/scenarios'
import { mockStore } from 'animal-store-mock/vitest'
import { expect, it } from 'vitest'

const store = mockStore({ scenario: scenarios['sold-out'], assume: { 'default-status': 'sold' } })

it('createPet responds 503', async () => {
  store.control.faults.add({ operation: 'createPet', status: 503 })
  // Call your own code here instead.
  const response = await fetch(new URL(store.url).origin + '/v1/pets?x=1', {
    method: 'POST',
    headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
    body: '{"name":"Rex","categoryId":9007199254740993}',
  })
  expect(response.status).toBe(503)
  await expect(store).toHaveReceived('createPet', { query: { x: '1' }, body: { name: 'Rex', categoryId: 9007199254740993n }, status: 503, times: 1 })
})
`)
  })

  it('expects no response where there was none, and no operation where none was meant', () => {
    const text = toKitTest({ ...tested, status: 0, operation: null, faults: [], assume: {}, scenario: undefined })
    expect(text).toContain(`const store = mockStore({ baseUrl: '${origin}/v1' })\n`)
    expect(text).toContain(').rejects.toThrow()')
    expect(text).not.toContain('toHaveReceived')
  })

  it('is code, whatever was sent', async () => {
    await fc.assert(
      fc.asyncProperty(requests, fc.integer({ min: 0, max: 599 }), async (request, status) => {
        const text = toKitTest({ ...tested, ...request, status })
        expect(isHidden(text)).toBe(false)
        const code = text.replace(/^import .*$/gm, '')
        let ran = 0
        const expectAny = () => ({ toBe() {}, toHaveReceived: async () => {}, rejects: { toThrow: async () => {} } })
        const store = { url: `${origin}/v1`, control: { faults: { add() {} } } }
        const send = async (url: string) => {
          expect(new URL(url).origin).toBe(origin)
          ran++
          return { status }
        }
        const names = ['scenarios', 'mockStore', 'it', 'expect', 'fetch']
        const body = new AsyncFunction(...names, `let running; ${code.replace('\nit(', '\nrunning = it(')}; await running`)
        await body(
          {},
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
