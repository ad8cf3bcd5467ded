import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CommandRequest, quoteForCmd, quoteForPowerShell, quoteForSh, type Shell, toCommand } from './to-command.ts'

const origin = 'http://127.0.0.1:7387'
const url = `${origin}/v1/pets`
const get: CommandRequest = { method: 'GET', origin, target: '/v1/pets', headers: {} }
/** What a page would send to get out of the quotes. */
const ESCAPES = `a'b"c\\"d\\\\"e$(id)\`id\`;id|id&id&&id>x<y^z%PATH%%^PATH%!!{a,b}[c]*?~#\\`

describe('toCommand for sh', () => {
  it.each<[request: Partial<CommandRequest>, command: string]>([
    [{}, `curl -i '${url}'`],
    [{ method: 'HEAD' }, `curl -i --head '${url}'`],
    [{ method: 'POST', body: '{}' }, `curl -i '${url}' --data-raw '{}'`],
    [{ method: 'POST', body: '' }, `curl -i -X 'POST' '${url}'`],
    [{ body: 'x' }, `curl -i -X 'GET' '${url}' --data-raw 'x'`],
    [{ target: '/v1/pets?x[]={1}' }, `curl -i --globoff '${url}?x[]={1}'`],
    [{ target: '/v1/pets/../x' }, `curl -i --path-as-is '${url}/../x'`],
    [{ headers: { Authorization: "Bearer it's" } }, `curl -i '${url}' -H 'Authorization: Bearer it'\\''s'`],
    [{ headers: { prefer: 'a\tb\u0085c' } }, `curl -i '${url}' -H 'prefer: a b c'`],
    [{ method: 'POST', body: '\u001b[31m\n' }, `printf %b '\\0033[31m\\0012' | curl -i '${url}' --data-binary @-`],
    [{ method: 'POST', body: '\u202e' }, `printf %b '\\0342\\0200\\0256' | curl -i '${url}' --data-binary @-`],
  ])('%j', (request, command) => {
    expect(toCommand({ ...get, ...request }, 'sh')).toBe(command)
  })

  it.each([
    ['http://evil.example/v1/pets', `'${url}'`],
    ['HTTPS://evil.example:443/v1/pets?x=1', `'${url}?x=1'`],
    ['http://evil.example', `'${origin}/'`],
    ['http://evil.example?x', `'${origin}/?x'`],
    ['http://user@evil.example/v1/pets', `'${url}'`],
    ['http:///evil.example/v1', `'${origin}/evil.example/v1'`],
    ['@evil.example/v1', `'${origin}/@evil.example/v1'`],
    ['.evil.example/v1', `'${origin}/.evil.example/v1'`],
    [':80@evil.example/', `'${origin}/:80@evil.example/'`],
    ['//evil.example/v1', `'${origin}//evil.example/v1'`],
    ['ftp://evil.example/v1', `'${origin}/ftp://evil.example/v1'`],
    ['evil.example:443', `'${origin}/evil.example:443'`],
    ['*', `--request-target '*' '${origin}/'`],
    ['/v1/pets#@evil.example', `--request-target '/v1/pets#@evil.example' '${origin}/'`],
    ['/v1/pets?é\u202e\u001b', `'${url}?%c3%a9%e2%80%ae%1b'`],
    ['-o/tmp/x', `'${origin}/-o/tmp/x'`],
  ])('sends the target %j to this mock and to nobody else', (target, words) => {
    expect(toCommand({ ...get, target }, 'sh')).toBe(`curl -i ${words}`)
  })
})

describe.each(['dash', 'bash'])('quoteForSh in %s', (shell) => {
  it('makes one word with the very same text', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom("'", '"', '\\', '$', '`', '!', '\n', '\t', '%', '(', ' ', '&', ';'),
        fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
      ),
    })
    const samples = [ESCAPES, ...fc.sample(text, 60)].map((sample) => sample.replaceAll('\0', ''))
    const output = execFileSync(shell, ['-c', `printf '%s\\0' ${samples.map(quoteForSh).join(' ')}`], {
      encoding: 'utf8',
      env: { LC_ALL: 'C.UTF-8' },
      // bash takes a socket for a remote login and reads its start files.
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    expect(output.split('\0').slice(0, -1)).toEqual(samples)
  })
})

describe.each(['dash', 'bash'])('a body in %s', (shell) => {
  it('is the very same bytes, whatever is in it, and a line with nothing that a terminal acts on', () => {
    const text = fc.string({
      minLength: 1,
      unit: fc.oneof(
        fc.constantFrom("'", '\\', '%', '-', '\n', '\0', '\t', '\u001b', '\u0085', '\u202e', '0', 'c'),
        fc.string({ maxLength: 1 }),
      ),
    })
    for (const body of ['-n', '%s%n', '\\c', '\n', `${ESCAPES}\n`, ...fc.sample(text, 60).filter((sample) => sample !== '')]) {
      const command = toCommand({ ...get, method: 'POST', body }, 'sh')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
      expect(command).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/)
      const fake = 'curl() { shift $(($# - 2)); if [ "$2" = @- ]; then cat; else printf %s "$2"; fi; }'
      const output = execFileSync(shell, ['-c', `${fake}\n${command}`], {
        encoding: 'utf8',
        env: { LC_ALL: 'C.UTF-8', PATH: '/usr/bin:/bin' },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      expect(output).toBe(body)
    }
  })
})

/** What cmd.exe makes of a line at its prompt: variables first, then carets; what is left unescaped and means something is told. */
function readAsCmd(line: string): { text: string; active: string[] } {
  const variables = line.match(/%[^%^:]+(?::[^%]*)?%/g) ?? []
  let text = ''
  const active: string[] = [...variables]
  for (let index = 0; index < line.length; index++) {
    const character = line[index] as string
    if (character === '^') text += line[++index] ?? ''
    else {
      if (/[&|<>()"!\n\r]/.test(character)) active.push(character)
      text += character
    }
  }
  return { text, active }
}

/** The words that the C runtime of Windows makes of a line. */
function readAsCRuntime(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let isQuoted = false
  for (let index = 0; index < line.length; ) {
    const slashes = /^\\+/.exec(line.slice(index))?.[0].length ?? 0
    index += slashes
    if (line[index] === '"') {
      word = (word ?? '') + '\\'.repeat(Math.floor(slashes / 2))
      if (slashes % 2 === 1) word += '"'
      else isQuoted = !isQuoted
      index++
      continue
    }
    if (slashes > 0) word = (word ?? '') + '\\'.repeat(slashes)
    if (index >= line.length) break
    const character = line[index++] as string
    if (/\s/.test(character) && !isQuoted) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + character
  }
  if (word !== undefined) words.push(word)
  return words
}

describe('quoteForCmd', () => {
  it('leaves cmd nothing to act on, and curl.exe one word with the same text', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom('"', '\\', '^', '%', '&', '|', '<', '>', '!', '(', ' ', ':', '~', '='),
        fc.constantFrom('PATH', 'a', '1', 'é'),
      ),
    })
    for (const sample of [ESCAPES, '%PATH%', '%PATH:a=b%', '%%PATH%%', '%&calc', '%"&calc', '\\', '\\"', ...fc.sample(text, 500)]) {
      const { text: line, active } = readAsCmd(quoteForCmd(sample))
      expect({ sample, active }).toEqual({ sample, active: [] })
      expect(readAsCRuntime(line)).toEqual([sample])
    }
  })

  it('takes time linear in the length of a run of backslashes', () => {
    const startedAt = process.cpuUsage()
    expect(quoteForCmd(`${'\\'.repeat(400_000)}x`)).toHaveLength(800_001 + 4)
    expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(1_000)
  })

  it('puts a whole request on one line', () => {
    const request = { ...get, method: 'POST', target: '/v1/pets?a=%26&b', headers: { prefer: 'a"b' }, body: '{\n"name":\t"\u202e%PATH%"}' }
    const { text, active } = readAsCmd(toCommand(request, 'cmd'))
    expect(active).toEqual([])
    expect(readAsCRuntime(text)).toEqual([
      'curl.exe',
      '-i',
      `${url}?a=%26&b`,
      '-H',
      'prefer: a"b',
      '--data-raw',
      '{ "name": "\\u202e%PATH%"}',
    ])
  })
})

/** The text of a PowerShell expression that is a string, or strings and characters joined; undefined if it is anything else. */
function readAsPowerShell(expression: string): string | undefined {
  const inner = expression.startsWith('(') && expression.endsWith(')') ? expression.slice(1, -1) : expression
  let text = ''
  let rest = inner
  while (rest !== '') {
    // Any of the four typographic quotes ends a string as the plain one does, and doubled is itself.
    const string = /^['\u2018-\u201b]((?:[^'\u2018-\u201b]|['\u2018-\u201b]{2})*)['\u2018-\u201b](?: \+ |$)/u.exec(rest)
    const character = /^\[char\]0x([0-9a-f]+)(?: \+ |$)/.exec(rest)
    if (string) text += (string[1] as string).replace(/(['\u2018-\u201b])['\u2018-\u201b]/g, '$1')
    else if (character) text += String.fromCharCode(Number.parseInt(character[1] as string, 16))
    else return undefined
    rest = rest.slice((string ?? character)?.[0].length)
  }
  return text
}

describe('quoteForPowerShell', () => {
  it('makes a string with the very same text, and nothing that is run', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom("'", '‘', '’', '‚', '‛', '"', '$(calc)', '`', ';', '\n', '\0', '\u001b', '\u202e', '@', '#'),
        fc.string({ maxLength: 1 }),
      ),
    })
    for (const sample of [ESCAPES, "'; calc; '", '’; calc; ‘', '\u202e', ...fc.sample(text, 500)]) {
      const quoted = quoteForPowerShell(sample)
      expect(readAsPowerShell(quoted)).toBe(sample)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
      expect(quoted).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/)
    }
  })

  it('writes a request as Invoke-WebRequest: quotes for a native command mean different things in its versions', () => {
    const request = { ...get, method: 'POST', headers: { Authorization: 'Bearer k', 'content-type': 'a/b' }, body: "it's" }
    expect(toCommand(request, 'powershell')).toBe(
      `Invoke-WebRequest -UseBasicParsing -Uri '${url}' -Method 'POST' -Headers @{ 'Authorization' = 'Bearer k' } -ContentType 'a/b' -Body ([Text.Encoding]::UTF8.GetBytes('it''s'))`,
    )
    expect(toCommand({ ...get, method: "X'; calc; '" }, 'powershell')).toBe(
      `Invoke-WebRequest -UseBasicParsing -Uri '${url}' -CustomMethod 'X''; calc; '''`,
    )
  })
})

it.each<Shell>(['sh', 'cmd', 'powershell'])('in %s never names the host of an absolute-form target', (shell) => {
  expect(toCommand({ ...get, target: 'http://evil.example/v1/pets' }, shell)).not.toContain('evil')
})
