import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteForSh, renderCurl } from './copy-curl.ts'
import type { CommandRequest } from './copy-logged.ts'

const mockUrl = 'http://127.0.0.1:7387'
const url = `${mockUrl}/v1/pets`
const get: CommandRequest = { method: 'GET', mockUrl, target: '/v1/pets', headers: {}, body: '' }
/** What a page would send to get out of the quotes. */
const ESCAPES = `a'b"c\\"d\\\\"e$(id)\`id\`;id|id&id&&id>x<y^z%PATH%%^PATH%!!{a,b}[c]*?~#\\`

describe('renderCurl', () => {
  it.each<[request: Partial<CommandRequest>, command: string]>([
    [{}, `curl -i '${url}'`],
    [{ method: 'HEAD' }, `curl -i --head '${url}'`],
    [{ method: 'POST', body: '{}' }, `curl -i '${url}' -H 'content-type:' --data-raw '{}'`],
    [
      { method: 'POST', headers: { 'content-type': 'a/b' }, body: '{}' },
      `curl -i '${url}' -H 'content-type: a/b' --data-raw '{}'`,
    ],
    [{ method: 'POST', body: '' }, `curl -i -X 'POST' '${url}'`],
    [{ body: 'x' }, `curl -i -X 'GET' '${url}' -H 'content-type:' --data-raw 'x'`],
    [{ target: '/v1/pets?x[]={1}' }, `curl -i --globoff '${url}?x[]={1}'`],
    [{ target: '/v1/pets/../x' }, `curl -i --path-as-is '${url}/../x'`],
    [{ target: '/v1/pets/..' }, `curl -i --path-as-is '${url}/..'`],
    [
      { headers: { Authorization: "Bearer it's" } },
      `curl -i '${url}' -H 'Authorization: Bearer it'\\''s'`,
    ],
    [{ headers: { prefer: 'a\tb\u0085c' } }, `curl -i '${url}' -H 'prefer: a b c'`],
    [
      { method: 'POST', body: '\u001b[31m\n' },
      `printf %b '\\0033[31m\\0012' | curl -i '${url}' -H 'content-type:' --data-binary @-`,
    ],
    [
      { method: 'POST', body: '\u202e' },
      `printf %b '\\0342\\0200\\0256' | curl -i '${url}' -H 'content-type:' --data-binary @-`,
    ],
  ])('turns %j into the command %s', (request, command) => {
    expect(renderCurl({ ...get, ...request })).toBe(command)
  })

  it.each([
    ['http://evil.example/v1/pets', `'${url}'`],
    ['HTTPS://evil.example:443/v1/pets?x=1', `'${url}?x=1'`],
    ['http://evil.example', `'${mockUrl}/'`],
    ['http://evil.example?x', `'${mockUrl}/?x'`],
    ['http://user@evil.example/v1/pets', `'${url}'`],
    ['http:///evil.example/v1', `'${mockUrl}/evil.example/v1'`],
    ['@evil.example/v1', `'${mockUrl}/@evil.example/v1'`],
    ['.evil.example/v1', `'${mockUrl}/.evil.example/v1'`],
    [':80@evil.example/', `'${mockUrl}/:80@evil.example/'`],
    ['//evil.example/v1', `'${mockUrl}//evil.example/v1'`],
    ['ftp://evil.example/v1', `'${mockUrl}/ftp://evil.example/v1'`],
    ['evil.example:443', `'${mockUrl}/evil.example:443'`],
    ['*', `'${mockUrl}/*'`],
    ['/v1/pets#@evil.example', `'${url}%23@evil.example'`],
    ['/v1/pets?é\u202e\t🐈', `'${url}?%c3%a9%e2%80%ae%09%f0%9f%90%88'`],
    ['-o/tmp/x', `'${mockUrl}/-o/tmp/x'`],
  ])('sends the target %j to this mock, not to another host', (target, words) => {
    expect(renderCurl({ ...get, target })).toBe(`curl -i ${words}`)
  })
})

describe.each(['dash', 'bash'])('quoteForSh for %s', (shell) => {
  it('quotes any text as one word', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom("'", '"', '\\', '$', '`', '!', '\n', '\t', '%', '(', ' ', '&', ';'),
        fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
      ),
    })
    const samples = [ESCAPES, ...fc.sample(text, 60)].map((sample) => sample.replaceAll('\0', ''))
    const output = execFileSync(
      shell,
      ['-c', `printf '%s\\0' ${samples.map(quoteForSh).join(' ')}`],
      {
        encoding: 'utf8',
        env: { LC_ALL: 'C.UTF-8' },
        // bash takes a socket for a remote login and reads its start files.
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    expect(output.split('\0').slice(0, -1)).toEqual(samples)
  })
})

/** In none of the bodies. */
const END = 'END-OF-BODY'

describe.each(['dash', 'bash'])('the body of a copied curl command in %s', (shell) => {
  it('arrives byte for byte, and the command has no control characters', () => {
    const text = fc.string({
      minLength: 1,
      unit: fc.oneof(
        fc.constantFrom(
          "'",
          '\\',
          '%',
          '-',
          '\n',
          '\0',
          '\t',
          '\u001b',
          '\u0085',
          '\u202e',
          '0',
          'c',
        ),
        fc.string({ maxLength: 1 }),
      ),
    })
    const bodies = [
      '-n',
      '%s%n',
      '\\c',
      '\n',
      `${ESCAPES}\n`,
      ...fc.sample(text, 60).filter((sample) => sample !== ''),
    ]
    const commands = bodies.map((body) => renderCurl({ ...get, method: 'POST', body }))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    const hidden = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/
    for (const command of commands) expect(command).not.toMatch(hidden)
    const fake =
      'curl() { shift $(($# - 2)); if [ "$2" = @- ]; then cat; else printf %s "$2"; fi; }'
    const script = [fake, ...commands.map((command) => `${command}; printf ${END}`)].join('\n')
    const output = execFileSync(shell, ['-c', script], {
      encoding: 'utf8',
      env: { LC_ALL: 'C.UTF-8', PATH: '/usr/bin:/bin' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    expect(output.split(END).slice(0, -1)).toEqual(bodies)
  })
})
