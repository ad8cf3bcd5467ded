import fc from 'fast-check'
import { expect, it } from 'vitest'
import { UsageError } from '../contract/errors.ts'
import { type SpawnArguments, toWindowsCommand, type WindowsMachine } from './windows-command.ts'

const FILES = ['C:\\Program Files\\nodejs\\node.exe', 'C:\\Program Files\\nodejs\\npm.cmd', 'C:\\app\\node_modules\\.bin\\vitest.cmd']
const VARIABLES: Readonly<Record<string, string>> = {
  PATH: '"C:\\app\\node_modules\\.bin";C:\\Program Files\\nodejs',
  ComSpec: 'C:\\cmd.exe',
}
const machine: WindowsMachine = { env: VARIABLES, isFile: (path) => FILES.includes(path) }

const HARD = [
  '',
  'a b',
  'a&b',
  '%PATH%',
  '^',
  '100%',
  '"',
  'say "hi & bye"',
  'back\\',
  'a\\"b',
  '\\\\"',
  '|<>()!;,=',
  '*?',
  '^&"^&',
  '%*',
  '"%PATH%"',
  '%PATH:~0,3%',
  '%PATH:a=b%',
  '=',
]

/** What cmd.exe makes of a line: the variables in it first, once, then its quotes and carets; `&` and its like would end the command. */
function readLine(line: string, variables: Readonly<Record<string, string>>): string {
  const expanded = line.replace(/%([^%:]+)(?::[^%]*)?%/g, (text, name) => variables[name] ?? text)
  let text = ''
  let isQuoted = false
  for (let at = 0; at < expanded.length; at++) {
    const char = expanded[at] as string
    if (char === '"') isQuoted = !isQuoted
    if (!isQuoted && char === '^') text += expanded[++at] ?? ''
    else if (!isQuoted && /[&|<>()]/.test(char)) throw new Error(`${char} reached the shell in ${line}`)
    else text += char
  }
  return text
}

/** What a C program makes of its command line. */
function toArguments(text: string): string[] {
  const args: string[] = []
  let arg: string | undefined
  let isQuoted = false
  for (let at = 0; at < text.length; ) {
    const [found, slashes = '', mark] = /^(\\*)("?)/.exec(text.slice(at)) as unknown as [string, string, string]
    if (mark) {
      arg = (arg ?? '') + '\\'.repeat(slashes.length / 2)
      at += found.length
      if (slashes.length % 2 === 1) arg += '"'
      else if (isQuoted && text[at] === '"') {
        arg += '"'
        at++
      } else isQuoted = !isQuoted
    } else if (slashes) {
      arg = (arg ?? '') + slashes
      at += slashes.length
    } else {
      const char = text[at++] as string
      if (char !== ' ' || isQuoted) arg = (arg ?? '') + char
      else if (arg !== undefined) {
        args.push(arg)
        arg = undefined
      }
    }
  }
  return arg === undefined ? args : [...args, arg]
}

/** What a shim's program gets: cmd.exe reads our line, and once more the shim's, which has all arguments in the place of `%*`. */
function throughShim({ args, env }: SpawnArguments, shim: string): string[] {
  expect(args.slice(0, -1)).toEqual(['/d', '/v:off', '/s', '/c'])
  const line = readLine(args.at(-1)?.slice(1, -1) ?? '', { ...VARIABLES, ...env })
  expect(line.startsWith(`"${shim}"`)).toBe(true)
  return toArguments(readLine('%all%', { all: line.slice(shim.length + 2) }))
}

it.each(HARD)('hands %j through a shim as it is', (arg) => {
  const spawned = toWindowsCommand('vitest', [arg, 'next'], machine)
  expect(spawned).toMatchObject({ file: 'C:\\cmd.exe', windowsVerbatimArguments: true })
  expect(throughShim(spawned, FILES[2] as string)).toEqual([arg, 'next'])
})

it('hands anything but a line break through a shim as it is', () => {
  const anything = fc.array(fc.string({ unit: fc.constantFrom(...'ab \\"^&%|<>()!;:,=*?', 'PATH') }))
  fc.assert(
    fc.property(anything, (args) => {
      expect(throughShim(toWindowsCommand('npm', args, machine), FILES[1] as string)).toEqual(args)
    }),
  )
})

it('refuses what cmd.exe would cut off', () => {
  expect(() => toWindowsCommand('npm', ['a\nb'], machine)).toThrow(new UsageError('npm: a batch file takes no argument with a line break'))
})

it.each(['node', 'node.exe', 'NODE.EXE', 'C:\\Program Files\\nodejs\\node.exe', 'C:/Program Files/nodejs/node'])(
  'starts the program %s without a shell',
  (command) => {
    const isFile = (path: string) => path.toLowerCase() === FILES[0]?.toLowerCase()
    const { file, ...rest } = toWindowsCommand(command, ['a & b'], { ...machine, isFile })
    expect([file.toLowerCase(), rest]).toEqual([FILES[0]?.toLowerCase(), { args: ['a & b'], env: {}, windowsVerbatimArguments: false }])
  },
)

it('takes the first folder of PATH that has the command', () => {
  const isFile = (path: string) => /\\(vitest|npm)\.cmd$/.test(path)
  expect(toWindowsCommand('npm', [], { ...machine, isFile }).env).toEqual({
    ANIMAL_STORE_COMMAND_LINE: '"C:\\app\\node_modules\\.bin\\npm.cmd"',
  })
})

it('looks into no folder that PATH does not name', () => {
  const env = { PATH: ';C:\\app;' }
  expect(() => toWindowsCommand('npm', [], { env, isFile: (path) => path === 'npm.cmd' })).toThrow('npm: no such command')
})

it('reports an unknown command', () => {
  expect(() => toWindowsCommand('nmp', [], machine)).toThrow(new UsageError('nmp: no such command'))
})
