// Commands for a running mock: each says what it asks the mock and how the answer reads. Failures are explained here.
import { type ControlClient, ControlError, type ControlFetch, createClient } from '../client/client.ts'
import { UsageError } from '../contract/errors.ts'
import { findNear } from '../contract/near-names.ts'
import { joinWords, type Problems, sayMeant } from '../contract/problem.ts'
import { HEADERS } from '../control/methods.ts'
import { escapeUnsafe } from '../render/escape.ts'
import type { FlagTable, FlagValues } from '../settings/flag.ts'
import { type CliCommand, globalFlags, type RemoteFlags, remoteFlags } from './flags.ts'
import { notify, print, toJsonText } from './output.ts'

/** For a whole response; a stream of events has no limit. */
const TIMEOUT_MS = 30_000
const MAX_KEYS_NAMED = 10
const POLL_MS = 100

interface Access {
  /** Creates the sandbox that the flags name. For other commands a missing sandbox is probably a typo. */
  readonly creates?: boolean
  /** Works on the shared state without a key, although no request with a valid key reaches that. */
  readonly isKeyless?: boolean
}

/** Runs `use` with a client for one state; a failed call becomes a UsageError. */
export async function withState<T>(
  { url, sandbox, controlToken, wait = 0 }: RemoteFlags & { readonly wait?: number },
  use: (mock: ControlClient, hasSandboxes: () => boolean) => Promise<T>,
  { creates = false, isKeyless = false }: Access = {},
): Promise<T> {
  let hasSandboxes = false
  // Every response says it, so no command has to ask first.
  const fetch: ControlFetch = async (address, init) => {
    const response = await globalThis.fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS), ...init })
    hasSandboxes = response.headers.get(HEADERS.sandboxes) !== null
    return response
  }
  const mock = createClient(url, { token: () => controlToken, sandbox, fetch })
  const responds = () => mock.summary().then(Boolean, ({ status }: ControlError) => status !== 0)
  try {
    const end = performance.now() + wait
    while (performance.now() < end && !(await responds())) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    const keys = sandbox === undefined ? [] : await mock.sandboxes()
    // Where sandboxes are off, the mock refuses the key itself.
    const isNew = sandbox !== undefined && hasSandboxes && !keys.includes(sandbox)
    if (isNew && !creates) throw missingSandbox(sandbox, keys, 'the first request with that key creates it, and so does seed')
    const result = await use(mock, () => hasSandboxes)
    if (isNew) notify(`Created sandbox ${sandbox}`)
    if (sandbox === undefined && !isKeyless && hasSandboxes) throw sharedState(await mock.sandboxes())
    return result
  } catch (error) {
    throw error instanceof ControlError ? new UsageError(explain(error, controlToken)) : error
  }
}

function explain({ status, message, problems }: ControlError, token: string | undefined): Problems {
  if (status === 0) return `${message}: start one with animal-store-mock, or name another with --port or --url`
  if (status === 401 && token !== undefined) return 'Wrong control token: check --control-token or ANIMAL_STORE_CONTROL_TOKEN'
  if (status === 401) return 'This mock requires its control token: pass it with --control-token or ANIMAL_STORE_CONTROL_TOKEN'
  return status === 413 ? `${message}; start the mock with --scenario, which has no limit` : problems
}

/** Thrown after the change to the shared state, which no sandbox sees. */
function sharedState(keys: readonly string[]): UsageError {
  const named = joinWords(keys.slice(-MAX_KEYS_NAMED), 'or') || 'there are none yet'
  return new UsageError(`Sandboxes are on: this used the shared state, which valid keys never see; name one with --sandbox <key>: ${named}`)
}

export function missingSandbox(key: string, keys: readonly string[], hint = ''): UsageError {
  const meant = sayMeant(joinWords(findNear(key, keys), 'or'), hint)
  return new UsageError(`There is no sandbox ${JSON.stringify(key)}${meant && `; ${meant}`}`)
}

type Ask<T, Values> = (mock: ControlClient, args: readonly never[], flags: Values) => Promise<T>
type Texts = Pick<CliCommand, 'summary' | 'arguments' | 'examples' | 'notes'>

interface RemoteCommand<Table extends FlagTable, T, Values = FlagValues<Table> & RemoteFlags> extends Texts {
  /** Besides those of every such command. With `--json` the answer is printed as it is. */
  readonly flags?: Table
  readonly isKeyless?: boolean
  /** Concerns the whole mock, so there is no --sandbox. */
  readonly isGlobal?: boolean
  readonly ask?: Ask<T, Values>
  /** Instead of `ask` if words follow the command. May create the sandbox. */
  readonly change?: Ask<T, Values>
  /** Commands below it. They may create the sandbox too; without an answer, that of `ask` is shown. */
  readonly actions?: Readonly<Record<string, Texts & { readonly change: Ask<T | undefined, Values> }>>
  /** Lines, or a text as it is. */
  render(value: T, flags: Values, args: readonly never[]): readonly string[] | string | Promise<readonly string[] | string>
}

export function defineRemote<const Table extends FlagTable, T>(command: RemoteCommand<Table, T>): CliCommand {
  const { flags, isKeyless, isGlobal = false, ask, change, actions = {}, render, ...texts } = command
  type Flags = FlagValues<Table> & RemoteFlags & { readonly json?: boolean }

  const show = (action?: Ask<T | undefined, Flags>) => async (values: Flags, args: readonly never[]) => {
    const own = action ?? (args.length > 0 ? change : undefined)
    const use = async (mock: ControlClient): Promise<T> => {
      const changed = await own?.(mock, args, values)
      return changed === undefined ? (ask?.(mock, args, values) as Promise<T>) : changed
    }
    const value = await withState(values, use, { creates: own !== undefined, isKeyless: isKeyless ?? isGlobal })
    if (values.json) return print(toJsonText(value))
    const text = await render(value, values, args)
    return print(typeof text === 'string' ? text : text.map((line) => `${escapeUnsafe(line)}\n`).join(''))
  }
  const below = Object.entries(actions).map(([name, action]) => [name, { ...action, flags: {}, run: show(action.change) }])
  return {
    ...texts,
    flags: { ...flags, ...(isGlobal ? globalFlags : remoteFlags) },
    ...(below.length > 0 && { commands: Object.fromEntries(below) }),
    // Flags may come before and after the action.
    configure: (defined) => void defined.enablePositionalOptions(false),
    run: show(),
  }
}
