// Commands for a running mock: each says what it asks the mock and how the answer reads. Failures
// are explained here.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { IS_SHARED, UsageError } from '../../contract/errors.ts'
import { toJsonText } from '../../contract/escape.ts'
import { checkSandbox } from '../../control/check-call.ts'
import { type ControlClient, type ControlFetch, createClient } from '../../control/client/client.ts'
import type { MethodRow } from '../../control/method-row.ts'
import { HEADERS } from '../../control/protocol.ts'
import type { FlagTable, FlagValues } from '../../scenario/settings/flag.ts'
import { type CliCommand, globalFlags, json, type RemoteFlags, remoteFlags } from './flags.ts'
import { notify, print, printLines } from './output.ts'

const TIMEOUT_MS = 10_000
const POLL_MS = 100

/** Runs `use` with a client for one state, or for the whole mock. */
export async function withState<T>(
  { url, sandbox, controlToken, wait = 0 }: RemoteFlags & { readonly wait?: number },
  use: (mock: ControlClient) => Promise<T>,
  { isQuiet = false }: { readonly isQuiet?: boolean | undefined } = {},
): Promise<T> {
  let hasSandboxes = false
  let isNew: boolean | undefined
  // Every response says it, so no command has to ask first.
  const fetch: ControlFetch = async (address, init) => {
    const response = await fetchByHttp(address, init)
    const isNews = !hasSandboxes && response.headers.get(HEADERS.sandboxes) !== null
    hasSandboxes ||= isNews
    if (isNews && sandbox === undefined && !isQuiet) notify(`${IS_SHARED} --sandbox <key>`)
    return response
  }
  const before = async (route: MethodRow) => {
    if (sandbox === undefined || route.isGlobal || isNew !== undefined) return
    const keys = await mock.sandboxes()
    // Where sandboxes are off, the mock refuses the key itself.
    if (hasSandboxes) checkSandbox(route, sandbox, keys)
    isNew = hasSandboxes && !keys.includes(sandbox)
  }
  const mock = createClient(url, { token: () => controlToken, sandbox, fetch, before })
  try {
    const end = performance.now() + wait
    while (performance.now() < end && !(await responds(mock)))
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    const result = await use(mock)
    if (isNew) notify(`Created sandbox ${sandbox}`)
    return result
  } catch (error) {
    throw error instanceof UsageError
      ? new UsageError(explainFailure(error).split('\n'), error.status)
      : error
  }
}

/**
 * By node:http: the first use of the global `fetch` takes as much processor time as the rest of a
 * command.
 */
const fetchByHttp: ControlFetch = async (url, { method, headers, body }) => {
  const { request } = url.startsWith('https:')
    ? await import('node:https')
    : await import('node:http')
  const sent = request(url, { method, headers, agent: false, timeout: TIMEOUT_MS }).end(body)
  // Without an error: nothing listens for one once the response has begun, and reading the body
  // fails anyway.
  sent.once('timeout', () => sent.destroy())
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  // The client does not read a 204, and an unread response keeps the process running.
  if (response.statusCode === 204) response.resume()
  return {
    status: response.statusCode ?? 0,
    headers: { get: (name) => response.headers[name.toLowerCase()]?.toString() ?? null },
    text: () => text(response),
    get body() {
      // A stream of events may be silent.
      sent.setTimeout(0)
      return Readable.toWeb(response) as Response['body']
    },
  }
}

export const responds = (mock: ControlClient) =>
  mock.summary().then(Boolean, ({ status }: UsageError) => status !== 0)

function explainFailure({ status, message }: UsageError): string {
  if (status === 0)
    return `${message}: start one with animal-store-mock, or name another with --port or --url`
  return status === 413 ? `${message}; start the mock with --scenario, which has no limit` : message
}

type Ask<T, Values> = (mock: ControlClient, args: readonly never[], flags: Values) => Promise<T>
type Lines = readonly string[] | undefined
type CommandTexts = Pick<CliCommand, 'summary' | 'arguments' | 'examples' | 'notes' | 'configure'>

interface RemoteCommand<Table extends FlagTable, T, Values = FlagValues<Table> & RemoteFlags>
  extends CommandTexts {
  /** Besides those of every such command. `--json` prints the answer as it is. */
  readonly flags?: Table
  /** Concerns the whole mock, so there is no --sandbox. */
  readonly isGlobal?: boolean
  readonly ask: Ask<T, Values>
  readonly actions?: Readonly<Record<string, CommandTexts & { readonly ask: Ask<T, Values> }>>
  /** Undefined if the answer is to be printed as with `--json`. */
  render(value: T, flags: Values, args: readonly never[]): Lines | Promise<Lines>
}

export function defineRemote<const Table extends FlagTable, T>(
  command: RemoteCommand<Table, T>,
): CliCommand {
  const { flags, isGlobal, ask, actions = {}, render, ...texts } = command
  type Flags = FlagValues<Table> & RemoteFlags & { readonly json?: boolean }

  const show = (asked: Ask<T, Flags>) => async (values: Flags, args: readonly never[]) => {
    const value = await withState(values, (mock) => asked(mock, args, values), {
      isQuiet: isGlobal,
    })
    const lines = values.json ? undefined : await render(value, values, args)
    return lines ? printLines(lines) : print(toJsonText(value))
  }
  const below = Object.entries(actions).map(([name, action]) => [
    name,
    { ...action, run: show(action.ask) },
  ])
  return {
    ...texts,
    flags: { ...flags, json, ...(isGlobal ? globalFlags : remoteFlags) },
    ...(below.length > 0 && { commands: Object.fromEntries(below) }),
    run: show(ask),
  }
}
