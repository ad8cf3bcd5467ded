// A running mock for the commands that talk to one: its control client, and what a failure means for whoever typed the command.
import { ControlError } from '../client/control-call.ts'
import { type ControlClient, createControlClient, type Health } from '../client/control-client.ts'
import { UsageError } from '../contract/errors.ts'
import { escapeUnsafe } from '../contract/escape.ts'
import { findNear } from '../contract/near-names.ts'
import { list } from '../contract/schema.ts'
import type { ClockState } from '../control/control.ts'
import { parseToken } from '../mock/parse-settings.ts'
import { askSecret } from './ask-secret.ts'
import { isAttended } from './attended.ts'
import type { RemoteFlags } from './flags.ts'
import { createHttpTransport } from './http-transport.ts'
import { note } from './say.ts'

const TIMEOUT_MS = 10_000

/**
 * Runs `use` with a client of the mock; a call that fails becomes a UsageError. A mock that requires a token refuses the first call without
 * one, so `use` can start again with what somebody types.
 */
export async function withMock<T>({ url, sandbox, token, timeout }: RemoteFlags, use: (mock: ControlClient) => Promise<T>): Promise<T> {
  const transport = createHttpTransport({ url, timeoutMs: timeout ?? TIMEOUT_MS })
  const attempt = (sent: string | undefined) => use(createControlClient(transport, () => ({ token: sent, sandbox })))
  let typed: string | undefined
  try {
    return await attempt(token).catch(async (error) => {
      if (token === undefined && isUnauthorized(error) && isAttended(process.env)) typed = await askSecret('Control token: ')
      if (typed === undefined) throw error
      return attempt(checkTyped(typed))
    })
  } catch (error) {
    if (typed !== undefined && isUnauthorized(error)) throw new UsageError('Wrong control token')
    throw error instanceof ControlError ? new UsageError(explain(error, url, token)) : error
  }
}

function checkTyped(token: string): string {
  try {
    return parseToken(token)
  } catch (error) {
    throw new UsageError(`control token: ${(error as Error).message}`)
  }
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ControlError && error.failure === 'refused' && error.status === 401
}

function explain({ failure, status, problems }: ControlError, url: string, token: string | undefined): readonly string[] {
  if (failure === 'unreachable') return [`No mock responds at ${url}: start one with animal-store-mock, or name another with --url`]
  if (failure === 'stranger') return [`The server at ${url} is not this mock (status ${status}): name the mock's address with --url`]
  if (status === 401 && token !== undefined) return ['Wrong control token: check --token or ANIMAL_STORE_CONTROL_TOKEN']
  if (status === 401) return ['This mock requires its control token: pass it with --token or ANIMAL_STORE_CONTROL_TOKEN']
  return problems
}

/** The same for a world that is there already. */
export function withWorld<T>(flags: RemoteFlags, use: (mock: ControlClient) => Promise<T>): Promise<T> {
  return withMock(flags, async (mock) => {
    await checkSandbox(flags, mock)
    return use(mock)
  })
}

/** Warns that a command without a key has left the sandboxes alone, if the mock has them. */
export function noteSandboxes(
  { sandbox }: RemoteFlags,
  { sandboxes }: Pick<Health, 'sandboxes'>,
  effect: string,
  remedy = 'name one with --sandbox <key>',
): void {
  if (sandbox === undefined && sandboxes !== undefined) note(`Sandboxes are on: ${effect}; ${remedy}`)
}

/** Whether the sandbox that a command names is there already; true if it names none. */
export async function hasSandbox({ sandbox }: RemoteFlags, mock: ControlClient): Promise<boolean> {
  return sandbox === undefined || (await mock.sandboxes()).includes(sandbox)
}

/** Refuses a sandbox that is not there: the control API would show or create a fresh one, and a slip in the key look like a success. */
async function checkSandbox(flags: RemoteFlags, mock: ControlClient): Promise<void> {
  if (await hasSandbox(flags, mock)) return
  const { sandbox = '' } = flags
  const near = findNear(sandbox, await mock.sandboxes())
  const hint = near.length > 0 ? `did you mean ${list(near, 'or')}?` : 'the first request with that key creates it, and so does seed'
  throw new UsageError(`There is no sandbox ${JSON.stringify(sandbox)}; ${hint}`)
}

export function toClockText({ now, frozen }: ClockState): string {
  return `${escapeUnsafe(now)}${frozen ? ' (frozen)' : ''}`
}
