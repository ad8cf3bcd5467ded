// Runs the commands of a transcript inside this process, against one mock, and writes down what
// they print: on stdout (|), on stderr (!), and the exit code (=) if it is not 0. Between them go
// requests to the mock (>), files (@ name, then the text as JSON) and variables (% name=value).
// Indented JSON is one line (|⇥). Of a help only the first line is here: src/cli/main.test.ts has
// them all. Of a very long text the middle is left out.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock } from '../../src/mock/mock.ts'
import { createRawClient, type RawRequest } from './raw-client.ts'
import { capture, type Printed } from './run-here.ts'

const KEY = 'some-key-1234'
const SHOWN_AT_START = 15
const SHOWN_AT_END = 8

/**
 * The transcript with its output as it is now. It begins with the options of the mock, as JSON
 * after a `#`.
 */
export async function replayCommands(transcript: string): Promise<string> {
  const [first = '', ...lines] = transcript.split('\n')
  const mock = createMock({
    now: '2026-11-15T08:00:00Z',
    frozen: true,
    ...JSON.parse(first.replace(/^# */, '')),
  })
  const { url, close } = await serve(mock)
  const home = process.cwd()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'commands-')))
  process.chdir(folder)
  vi.stubEnv('ANIMAL_STORE_URL', url)
  const played: string[] = []
  try {
    for (const line of lines.filter((text) => /^[$>@%] /.test(text))) {
      const told = await play(line.slice(2), line[0] as string, url)
      played.push(
        [line, ...told]
          .join('\n')
          .replaceAll(folder, '/folder')
          .replaceAll(new URL(url).host, 'mock'),
      )
    }
  } finally {
    vi.unstubAllEnvs()
    process.chdir(home)
    rmSync(folder, { recursive: true })
    await close()
  }
  return `${[first, ...played].join('\n')}\n`
}

async function play(text: string, kind: string, url: string): Promise<string[]> {
  if (kind === '$') return runCommand(split(text.replace('{port}', new URL(url).port)))
  if (kind === '%') {
    const [name = '', value = ''] = text.split(/=(.*)/s)
    vi.stubEnv(name, value)
    return []
  }
  if (kind === '@') {
    const [name = '', content = ''] = text.split(/ (.*)/s)
    writeFileSync(name, JSON.parse(content) as string)
    return []
  }
  const [method = '', target = '', body] = text.split(/ (\S+)(?: (.*))?$/s)
  return [`< ${await ask(url, method, target, body)}`]
}

/** The status of the response; 0 if the mock drops the connection. */
async function ask(url: string, method: string, target: string, body?: string): Promise<number> {
  const client = createRawClient(Number(new URL(url).port))
  const type: RawRequest['fields'] =
    body === undefined ? [] : [['Content-Type', 'application/json']]
  const fields = [['Authorization', `Bearer ${KEY}`] as const, ...type]
  const { status } = await client
    .ask({ method, target, fields, ...(body === undefined ? {} : { body }) })
    .catch(() => ({ status: 0 }))
  client.close()
  return status
}

/** Words, and texts in single quotes; `{port}` is the mock's. */
function split(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? (word as string),
  )
}

/** Runs a command; a mock that it starts is asked once, and stopped. */
async function runCommand(args: readonly string[]): Promise<string[]> {
  const listeners = process.listeners('SIGTERM')
  const { printed, code } = await capture(args, async (soFar) => {
    const stop = process.listeners('SIGTERM').find((listener) => !listeners.includes(listener))
    if (stop) await useAndStop(soFar, stop as (signal: string) => void)
  })
  return [...printed.flatMap(toLines), ...(code === 0 ? [] : [`= ${code}`])]
}

/**
 * Asks a mock that has been started for its animals, so that it has something to log, and stops it.
 */
async function useAndStop(
  printed: readonly Printed[],
  stop: (signal: string) => void,
): Promise<void> {
  // The banner comes after the requests that wait for the port.
  const find = () => / API +(http\S+)/.exec(printed.map(({ text }) => text).join(''))?.[1]
  while (find() === undefined) await new Promise(setImmediate)
  await ask(find() as string, 'GET', '/v1/pets?limit=1')
  const timer = vi.spyOn(globalThis, 'setTimeout')
  try {
    const stopped = new Promise<void>((resolve) => {
      // The last thing that it does: should something still hold the process, it ends all the same.
      timer.mockImplementation((() => {
        resolve()
        return { unref() {} }
      }) as never)
    })
    stop('SIGTERM')
    await stopped
  } finally {
    timer.mockRestore()
  }
}

/** Without what is not the same in every run, or for every contract: ports and its hash. */
function toLines({ stream, text }: Printed): string[] {
  const mark = stream === 'stdout' ? '|' : '!'
  const lines = text
    .replace(/(127\.0\.0\.1|localhost|\[::1\]):\d+/g, '$1:port')
    .replace(/(?<=--port: )\d+/g, 'port')
    .replace(/ \([0-9a-f]{16}\)/g, ' (…)')
    .replace(/\n$/, '')
    .split('\n')
  if (lines[0]?.startsWith('Usage: ')) return [`${mark} ${lines[0]}`, `${mark} …`]
  if (/^[[{]$/.test(lines[0] ?? ''))
    return [`${mark}⇥ ${lines.map((line) => line.trimStart()).join(' ')}`]
  const left = lines.length - SHOWN_AT_START - SHOWN_AT_END
  if (left > 30) lines.splice(SHOWN_AT_START, left, `… (${left} lines)`)
  return lines.map((line) => `${mark} ${line}`.trimEnd())
}
