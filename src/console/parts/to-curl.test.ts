import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quote, toCurl } from './to-curl.ts'

const url = 'http://127.0.0.1:7387/v1/pets'

describe('toCurl', () => {
  it.each([
    [{ method: 'GET', url, headers: {} }, `curl -i '${url}'`],
    [{ method: 'HEAD', url, headers: {} }, `curl -i --head '${url}'`],
    [{ method: 'POST', url, headers: {}, body: '{}' }, `curl -i '${url}' --data-raw '{}'`],
    [{ method: 'POST', url, headers: {}, body: '' }, `curl -i -X 'POST' '${url}'`],
    [{ method: 'GET', url, headers: {}, body: 'x' }, `curl -i -X 'GET' '${url}' --data-raw 'x'`],
    [{ method: 'GET', url: `${url}?x[]={1}`, headers: {} }, `curl -i --globoff '${url}?x[]={1}'`],
    [{ method: 'GET', url: `${url}/../x`, headers: {} }, `curl -i --path-as-is '${url}/../x'`],
    [{ method: 'GET', url, headers: { Authorization: "Bearer it's" } }, `curl -i '${url}' -H 'Authorization: Bearer it'\\''s'`],
  ])('%j', (request, command) => {
    expect(toCurl(request)).toBe(command)
  })
})

describe('quote', () => {
  it('gives bash one word with the very same text, and a terminal nothing to act on', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom("'", '"', '\\', '$', '`', '!', '\n', '\t', '\u001b', '\u0085', ' '),
        fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
      ),
    })
    const samples = fc.sample(text, 60).map((sample) => sample.replaceAll('\0', ''))
    const words = samples.map(quote)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    for (const word of words) expect(word).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    const heard = execFileSync('bash', ['--norc', '-c', `printf '%s\\0' ${words.join(' ')}`], {
      encoding: 'utf8',
      env: { LC_ALL: 'C.UTF-8' },
    })
    expect(heard.split('\0').slice(0, -1)).toEqual(samples)
  })
})
