import { describe, expect, it } from 'vitest'
import { UsageError } from '../contract/errors.ts'
import {
  parseAddress,
  parseApiKey,
  parseAssume,
  parseControlToken,
  parseCount,
  parseDelay,
  parseFail,
  parseHostName,
  parseInteger,
  parseMethod,
  parseNow,
  parseOrigin,
  parsePercent,
  parsePort,
  parsePrintedCount,
  parseSwitch,
  parseToken,
  parseUrl,
  splitList,
} from './parse-settings.ts'

describe('a valid text', () => {
  for (const [parse, text, value] of [
    [parsePort, '0', 0],
    [parsePort, '8080', 8080],
    [parsePort, '65535', 65_535],
    [parseAddress, '::1', '::1'],
    [parseInteger, '-7', -7],
    [parseInteger, '9007199254740991', 9_007_199_254_740_991],
    [parseCount, '0', 0],
    [parseNow, '2030-12-06', '2030-12-06'],
    [parseNow, '2030-12-06T08:30:00+01:00', '2030-12-06T08:30:00+01:00'],
    [parseApiKey, 'qa-key.1~+/==', 'qa-key.1~+/=='],
    [parseDelay, '200', 200],
    [parseDelay, '200-800', [200, 800]],
    [parseDelay, '0', 0],
    [parseDelay, '5-5', [5, 5]],
    [parseDelay, '60000', 60_000],
    [parseInteger, '9007199254740990', 9_007_199_254_740_990],
    [parsePercent, '0', 0],
    [parsePercent, '100', 100],
    [parsePercent, '33.25', 33.25],
    [parseSwitch, '1', true],
    [parseSwitch, 'TRUE', true],
    [parseSwitch, 'yes', true],
    [parseSwitch, 'on', true],
    [parseSwitch, '0', false],
    [parseSwitch, 'false', false],
    [parseSwitch, 'No', false],
    [parseSwitch, 'off', false],
    [parseUrl, 'HTTPS://mock.example.com', 'https://mock.example.com'],
    [parseFail, 'createPet=503', { operation: 'createPet', status: 503 }],
    [parseFail, 'createPet=503:2', { operation: 'createPet', status: 503, times: 2 }],
    [parseFail, 'createPet=503:123456789', { operation: 'createPet', status: 503, times: 123_456_789 }],
    [parseFail, '*=500', { operation: '*', status: 500 }],
    [parseAssume, 'invalid-query=clamp', { 'invalid-query': 'clamp' }],
    [parseOrigin, '*', '*'],
    [parseOrigin, 'https://app.example.com', 'https://app.example.com'],
    [parseHostName, 'mock.example.com', 'mock.example.com'],
    [parseToken, 's3cret', 's3cret'],
    [parseControlToken, '0123456789abcdef', '0123456789abcdef'],
    [parseMethod, 'get', 'GET'],
    [parsePrintedCount, '500000', 500_000],
    [parseUrl, 'http://127.0.0.1:7387', 'http://127.0.0.1:7387'],
    [parseUrl, 'http://127.0.0.1:7387/v1', 'http://127.0.0.1:7387'],
    [parseUrl, 'http://127.0.0.1:7387/v1/', 'http://127.0.0.1:7387'],
    [parseUrl, 'http://127.0.0.1:7387/__mock/', 'http://127.0.0.1:7387'],
    [parseUrl, 'localhost:7387', 'http://localhost:7387'],
    [parseUrl, 'https://mock.example.com/store/v1', 'https://mock.example.com/store'],
    [parseUrl, 'http://[::1]:7387/v1', 'http://[::1]:7387'],
    [splitList, 'a,b  c, d,', ['a', 'b', 'c', 'd']],
  ] satisfies [(text: string) => unknown, string, unknown][]) {
    it(`${parse.name} takes "${text}"`, () => {
      expect(parse(text)).toEqual(value)
    })
  }
})

describe('a long text', () => {
  it('is read as an address in linear time', () => {
    const started = performance.now()
    expect(parseUrl(`http://127.0.0.1${'/'.repeat(200_000)}x`)).toBe(`http://127.0.0.1${'/'.repeat(200_000)}x`)
    expect(parseUrl(`http://127.0.0.1/v1${'/'.repeat(200_000)}`)).toBe('http://127.0.0.1')
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})

describe('an invalid text', () => {
  for (const [parse, text, message] of [
    [parsePort, '65536', 'expected a port from 0 (any free one) to 65535'],
    [parsePort, '-1', 'expected a port from 0 (any free one) to 65535'],
    [parsePort, '80.5', 'expected a port from 0 (any free one) to 65535'],
    [parsePort, '', 'expected a port from 0 (any free one) to 65535'],
    [parseAddress, '', 'expected an address like 127.0.0.1 or ::1'],
    [parseAddress, 'http://127.0.0.1', 'expected an address like 127.0.0.1 or ::1'],
    [parseInteger, '1.5', 'expected a whole number'],
    [parseInteger, '9007199254740992', 'expected a whole number'],
    [parseInteger, 'seven', 'expected a whole number'],
    [parseCount, '-1', 'expected a whole number of at least 0'],
    [parseNow, '2030-02-30', 'expected a date from 1970 to 9999, like 2030-12-06 or 2030-12-06T08:30:00Z, got "2030-02-30"'],
    [parseNow, 'tomorrow', 'expected a date from 1970 to 9999, like 2030-12-06 or 2030-12-06T08:30:00Z, got "tomorrow"'],
    [parseApiKey, 'a key', 'expected a bearer token (RFC 6750)'],
    [parseDelay, 'soon', 'expected milliseconds like 200, or a range like 200-800'],
    [parseDelay, '-5', 'expected milliseconds like 200, or a range like 200-800'],
    [parseDelay, '800-200', 'expected the shorter time first, as in 200-800'],
    [parseDelay, '60001', 'expected at most 60000 milliseconds'],
    [parseDelay, '5-60001', 'expected at most 60000 milliseconds'],
    [parseDelay, '5-', 'expected milliseconds like 200, or a range like 200-800'],
    [parsePercent, '100.1', 'expected a percentage from 0 to 100'],
    [parsePercent, '-1', 'expected a percentage from 0 to 100'],
    [parsePercent, '1.', 'expected a percentage from 0 to 100'],
    [parsePrintedCount, '500001', 'expected at most 500000; `generate: { count: 500001 }` in a scenario makes more'],
    [parseControlToken, '0123456789abcde', 'expected at least 16 characters'],
    [parseControlToken, 'a b', 'expected letters, digits and - . _ ~ + / only (RFC 6750)'],
    [parseSwitch, 'maybe', 'expected 1 or 0, got "maybe"'],
    [parseAssume, 'invalid-query=', 'expected a question and a choice like invalid-query=clamp'],
    [parseFail, '=503', 'expected an operation and a status like createPet=503, and optionally how many times: createPet=503:2'],
    [parseFail, 'createPet', 'expected an operation and a status like createPet=503, and optionally how many times: createPet=503:2'],
    [parseFail, 'createPet=503:0', 'expected at least 1 time, as in createPet=503:1'],
    [parseFail, 'deletePet=503', 'operation: expected listPets, createPet, getPet or *'],
    [parseFail, 'createPet=200', 'status: expected an integer from 400 to 599'],
    [parseAssume, 'invalid-query', 'expected a question and a choice like invalid-query=clamp'],
    [parseAssume, 'invalid-query=clamp=x', 'expected a question and a choice like invalid-query=clamp'],
    [parseAssume, 'invalid-query=guess', 'expected invalid-query=reject, invalid-query=clamp or invalid-query=ignore'],
    [parseOrigin, 'https://app.example.com/', 'expected an origin like https://app.example.com, or "*" for all'],
    [parseOrigin, 'app.example.com', 'expected an origin like https://app.example.com, or "*" for all'],
    [parseOrigin, 'null', 'expected an origin like https://app.example.com, or "*" for all'],
    [parseHostName, 'mock.example.com:80', 'expected a host name like mock.example.com, without scheme and port'],
    [parseToken, 'tök', 'expected letters, digits and - . _ ~ + / only (RFC 6750)'],
    [parseUrl, 'ftp://127.0.0.1', 'expected the address of a mock like http://127.0.0.1:7387/v1'],
    [parseUrl, 'http://', 'expected the address of a mock like http://127.0.0.1:7387/v1'],
  ] satisfies [(text: string) => unknown, string, string][]) {
    it(`${parse.name} refuses "${text}"`, () => {
      expect(() => parse(text)).toThrow(new UsageError(message))
    })
  }

  it.each([
    [parsePort, '80'],
    [parseAddress, '::1'],
    [parseInteger, '7'],
    [parsePercent, '7'],
    [parseApiKey, 'key'],
    [parseDelay, '200-800'],
    [parseFail, 'createPet=503'],
    [parseAssume, 'invalid-query=clamp'],
    [parseOrigin, 'https://app.example.com'],
    [parseHostName, 'mock.example.com'],
    [parseToken, 'token'],
    [parseSwitch, 'on'],
  ])('is a valid one with a space before or behind it: %o', (parse, text) => {
    expect(() => parse(text)).not.toThrow()
    for (const wrong of [` ${text}`, `${text} `]) expect(() => parse(wrong)).toThrow(UsageError)
  })

  it('that is no question is answered with all that are', () => {
    expect(() => parseAssume('default-colour=red')).toThrow(
      /^expected one of the questions invalid-query, default-status, .* and sunset-header$/,
    )
  })
})
