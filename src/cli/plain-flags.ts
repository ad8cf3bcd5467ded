// Reads an ordinary start without commander, which takes longer to load than the mock itself. Whatever is not plain (a command,
// a list, a variable, a mistake) is left to commander; a test holds the two against each other.
import { LOG_STYLES, type LogStyle, parseCount, parseInteger, parsePort } from './parse-flags.ts'
import { DEFAULT_SCENARIO, type ServeFlags } from './serve-flags.ts'

/** What a flag does to those read so far; without `read` it takes no value. */
interface PlainFlag {
  readonly name: keyof ServeFlags
  readonly read?: (text: string) => unknown
}

const asItIs = (text: string) => text
const port: PlainFlag = { name: 'port', read: parsePort }
const scenario: PlainFlag = { name: 'scenario', read: asItIs }

const PLAIN: ReadonlyMap<string, PlainFlag> = new Map([
  ['-p', port],
  ['--port', port],
  ['-s', scenario],
  ['--scenario', scenario],
  ['--seed', { name: 'seed', read: parseInteger }],
  ['--count', { name: 'count', read: parseCount }],
  ['--sandbox', { name: 'sandbox' }],
  ['--log', { name: 'log', read: (text) => LOG_STYLES.find((style) => style === text) }],
  ['--ready-file', { name: 'readyFile', read: asItIs }],
])

/** The flags of `serve`; undefined if it takes commander to read them. */
export function readPlainFlags(args: readonly string[], environment: NodeJS.ProcessEnv): ServeFlags | undefined {
  for (const name in environment) if (name.startsWith('ANIMAL_STORE_')) return undefined
  const flags: Record<string, unknown> = { scenario: DEFAULT_SCENARIO, control: true, log: 'pretty' satisfies LogStyle }
  for (let index = args[0] === 'serve' ? 1 : 0; index < args.length; index++) {
    const flag = PLAIN.get(args[index] as string)
    if (!flag) return undefined
    const value = flag.read ? readValue(args[++index], flag.read) : true
    if (value === undefined) return undefined
    flags[flag.name] = value
  }
  return flags as unknown as ServeFlags
}

/** Undefined if there is no value, or one that is not plain or not valid. */
function readValue(text: string | undefined, read: (text: string) => unknown): unknown {
  if (text === undefined || text === '' || text.startsWith('-')) return undefined
  try {
    return read(text)
  } catch {
    return undefined
  }
}
