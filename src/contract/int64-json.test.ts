import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brief } from '../../test/support/brief.ts'
import { isInt64, JsonError, parseInt64, parseJson, toJson } from './int64-json.ts'
import { MAX_JSON_KEY_CHARACTERS } from './limits.ts'

/** What is wrong with the text, and where. */
function syntaxOf(read: () => unknown): string | undefined {
  try {
    read()
  } catch (error) {
    return error instanceof JsonError ? brief(error.problem) : String(error)
  }
  return undefined
}

describe('parseJson', () => {
  it.each<[text: string, value: unknown]>([
    [String.raw`"\"\\\/\b\f\n\r\t"`, '"\\/\b\f\n\r\t'],
    [String.raw`"\u0041\u00e9\uD83E\uDD8A\u2028x"`, 'Aé🦊\u2028x'],
    ['-0', 0],
    ['0.0', 0],
    ['-0.00e7', 0],
    ['0e99999999999', 0],
    ['1e2', 100],
    ['-2E+1', -20],
    ['1.50e1', 15],
    ['1.25e1', 12.5],
    ['1200e-2', 12],
    ['12.5e-1', 1.25],
    ['1e19', 1e19],
    ['9007199254740992', 9007199254740992n],
    ['123456789012345678901234567890', 123456789012345678901234567890n],
    ['\t\r\n 1\t\r\n ', 1],
  ])('reads %j', (text, value) => expect(parseJson(text)).toBe(value))

  it.each<[text: string, message: string]>([
    ['', 'syntax unexpected end 1:1'],
    ['\ufeff1', 'syntax a byte order mark is not allowed 1:1'],
    ['1 2', 'syntax unexpected "2" 1:3'],
    ['{\n "a" 1\n}', 'syntax unexpected "1" 2:6'],
    ['[,1]', 'syntax unexpected "," 1:2'],
    ['{"a":1,}', 'syntax unexpected "}" 1:8'],
    ['{"a":1;', 'syntax unexpected ";" 1:7'],
    ['{a', 'syntax unexpected "a" 1:2'],
    ['[1 2]', 'syntax unexpected "2" 1:4'],
    ['[1,', 'syntax unexpected end 1:4'],
    ['🦊', 'syntax unexpected "🦊" 1:1'],
    ['tru', 'syntax unexpected end 1:4'],
    ['nulk', 'syntax unexpected "k" 1:4'],
    ['"a', 'syntax unexpected end 1:3'],
    ['"a\n"', 'syntax unescaped control character 1:3'],
    ['"a\u001f"', 'syntax unescaped control character 1:3'],
    [String.raw`"\x"`, 'syntax invalid escape 1:1'],
    ['"\\', 'syntax unexpected end 1:3'],
    ['["\\', 'syntax unexpected end 1:4'],
    [String.raw`["\u12zz"]`, 'syntax invalid escape 1:2'],
    [String.raw`"\u123"`, 'syntax invalid escape 1:1'],
    [String.raw`["\ud83e"]`, 'syntax lone surrogate 1:2'],
    [`${'['.repeat(64)}{`, 'syntax nesting deeper than 64 levels 1:65'],
    [`${'{"a":'.repeat(64)}[`, 'syntax nesting deeper than 64 levels 1:321'],
  ])('says where %j is wrong', (text, message) =>
    expect(syntaxOf(() => parseJson(text))).toBe(message),
  )

  it.each([
    ['{"a":1,"b":2}', 2, undefined],
    ['{"a":1,"b":{"c":1,"d":2}}', 2, undefined],
    ['{"a":1,"b":2,"c":3}', 2, 'syntax more than 2 keys in an object 1:14'],
  ])('reads %s with at most %j keys', (text, keys, message) => {
    const read = () => parseJson(text, undefined, { keys })
    if (message === undefined) expect(read()).toEqual(JSON.parse(text))
    else expect(syntaxOf(read)).toBe(message)
  })

  it('reads as many values as it may', () => {
    expect(parseJson('[1,{"a":2}]', undefined, { values: 4 })).toEqual([1, { a: 2 }])
    expect(syntaxOf(() => parseJson('[1,{"a":2}]', undefined, { values: 3 }))).toBe(
      'syntax more than 3 values 1:9',
    )
  })

  it('reads what JSON.parse reads, to the same values', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.stringify(rounded(parseJson(text)))).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  it('refuses what JSON.parse refuses', () => {
    const nearJson = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '\\', '}', '0', ' ', '\u0001', 'e', '-', '.'),
      )
      .map(([text, at, piece]) => {
        const place = at % (text.length + 1)
        return text.slice(0, place) + piece + text.slice(place + 1)
      })
    fc.assert(
      fc.property(nearJson, (text) => {
        const refused = refuses(() => JSON.parse(text))
        const ours = refuses(() => parseJson(text))
        // Half of a surrogate pair is JSON by the grammar, and refused here (RFC 7493).
        if (!/\\u[dD][89a-fA-F]/.test(text) && text.isWellFormed()) expect(ours).toBe(refused)
      }),
      { numRuns: 2_000 },
    )
  })

  it('reads every int64 exactly', () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    fc.assert(
      fc.property(int64, (value) => {
        expect(BigInt(parseJson(`${value}`) as number)).toBe(value)
      }),
    )
  })

  it.each([
    '1e400',
    '-1e400',
    '1.5',
    '1e-1',
    '9007199254740993.0',
    '123456789012345678901234567890.5',
  ])('does not take %s for an int64', (text) => {
    expect(isInt64(parseJson(text))).toBe(false)
  })

  it('makes no bigint of a million digits, which would take its time', () => {
    expect(parseJson('9'.repeat(2 ** 20))).toBe(Number.POSITIVE_INFINITY)
    expect(parseJson(`-${'9'.repeat(2 ** 20)}`)).toBe(Number.NEGATIVE_INFINITY)
  })

  it('reports duplicate keys, and the last one wins', () => {
    const heard: string[] = []
    expect(parseJson('{"a":1,"b":{"a":2},"a":3}', (key) => heard.push(key))).toEqual({
      a: 3,
      b: { a: 2 },
    })
    expect(heard).toEqual(['a'])
  })

  it('refuses keys that V8 cannot hash: two thousand of them took almost six seconds', () => {
    const toText = (length: number) => `{"${'k'.repeat(length)}":0}`
    expect(parseJson(toText(MAX_JSON_KEY_CHARACTERS))).toEqual({
      ['k'.repeat(MAX_JSON_KEY_CHARACTERS)]: 0,
    })
    expect(syntaxOf(() => parseJson(toText(MAX_JSON_KEY_CHARACTERS + 1)))).toContain(
      ` key of more than ${MAX_JSON_KEY_CHARACTERS} `,
    )
  })

  it('keeps __proto__ as a key like any other', () => {
    const value = parseJson('{"__proto__":{"x":1}}') as Record<string, unknown>
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(value.x).toBeUndefined()
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')).toEqual(
      Object.getOwnPropertyDescriptor({ a: { x: 1 } }, 'a'),
    )
  })
})

describe('parseInt64', () => {
  it.each([
    ['0', 0],
    ['-1', -1],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
  ])('reads %s', (text, value) => expect(parseInt64(text)).toBe(value))

  it.each([
    '',
    '-',
    '-0',
    '00',
    '01',
    '+1',
    ' 1',
    '1 ',
    '1.0',
    '1e3',
    '0x1',
    `${2n ** 63n}`,
    `${-(2n ** 63n) - 1n}`,
    '٣',
    '1\n',
  ])('refuses %j', (text) => expect(parseInt64(text)).toBeUndefined())
})

describe('toJson', () => {
  it('writes what JSON.stringify writes, indented or not', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        expect(toJson(value, indent)).toBe(JSON.stringify(value, null, indent))
      }),
    )
  })

  it.each([
    { at: new Date(0), none: () => 1, [Symbol()]: 1, list: [() => 1, Symbol(), undefined] },
    [new Date(Number.NaN), new Array(2), { toJSON: () => undefined }],
    // It is called once: what it returns is written as it is.
    {
      a: 1,
      toJSON() {
        return { ...this, b: { toJSON: () => [new Date(0)] } }
      },
    },
  ])('writes what is not data as JSON.stringify does: %o', (value) =>
    expect(toJson(value)).toBe(JSON.stringify(value)),
  )

  it('writes bigints as digits and leaves undefined out', () => {
    expect(toJson({ id: 2n ** 63n - 1n, gone: undefined, list: [1n] })).toBe(
      '{"id":9223372036854775807,"list":[1]}',
    )
  })
})

function refuses(run: () => unknown): boolean {
  try {
    run()
    return false
  } catch {
    return true
  }
}

/** JSON.parse rounds beyond 2^53; for this comparison so do we. */
function rounded(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? Number(item) : item)),
  )
}
