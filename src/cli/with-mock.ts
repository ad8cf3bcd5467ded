// A running mock for the commands that talk to one: its control, and what a failure means for the person who typed the command.
import { type ControlClient, ControlError, createClient } from '../client/client.ts'
import { escapeUnsafe } from '../client/escape.ts'
import { isUsageError, UsageError } from '../contract/errors.ts'
import { list } from '../contract/schema.ts'
import type { ClockState, StateSummary } from '../control/control.ts'
import { findNear } from '../near-names.ts'
import type { RemoteFlags } from './flags.ts'
import { createHttpFetch } from './http-transport.ts'
import { notify } from './say.ts'

const TIMEOUT_MS = 10_000
const MAX_KEYS_NAMED = 10

/** Runs `use` with the control of the mock; a call that fails becomes a UsageError. */
export async function withMock<T>(flags: RemoteFlags, use: (mock: ControlClient) => Promise<T>): Promise<T> {
  const { url, sandbox, controlToken: token, timeout } = flags
  try {
    return await use(createClient(url, { fetch: createHttpFetch(timeout ?? TIMEOUT_MS), token: () => token, sandbox }))
  } catch (error) {
    throw error instanceof ControlError ? new UsageError(explain(error, token)) : error
  }
}

function explain({ status, message }: ControlError, token: string | undefined): readonly string[] {
  if (status === 0) return [`${message}: start one with animal-store-mock, or name another with --port or --url`]
  if (status === 401 && token !== undefined) return ['Wrong control token: check --control-token or ANIMAL_STORE_CONTROL_TOKEN']
  if (status === 401) return ['This mock requires its control token: pass it with --control-token or ANIMAL_STORE_CONTROL_TOKEN']
  return message.split('\n')
}

/** The same for a sandbox that must exist already. */
export function withWorld<T>(flags: RemoteFlags, use: (mock: ControlClient) => Promise<T>): Promise<T> {
  return withMock(flags, async (mock) => {
    await checkSandbox(flags, mock)
    return use(mock)
  })
}

/** Runs `use` with the state of one key, or with that of a mock without sandboxes. */
export function withState<T>(flags: RemoteFlags, use: (mock: ControlClient) => Promise<T>): Promise<T> {
  return withWorld(flags, async (mock) => {
    await requireKey(flags, mock)
    return use(mock)
  })
}

/** Changes the state of one key, which creates its sandbox, or that of a mock without sandboxes. */
export function changeState<T>(flags: RemoteFlags, change: (mock: ControlClient) => Promise<T>): Promise<T> {
  return withMock(flags, async (mock) => {
    await requireKey(flags, mock)
    const isNew = !(await hasSandbox(flags, mock))
    const changed = await change(mock)
    if (isNew) notify(`Created sandbox ${flags.sandbox}`)
    return changed
  })
}

/** Without a key a command would be about the shared state, which no request with a valid key reaches. */
async function requireKey({ sandbox }: RemoteFlags, mock: ControlClient): Promise<void> {
  if (sandbox !== undefined || (await mock.summary()).sandboxes === undefined) return
  const keys = await mock.sandboxes()
  const known = keys.length === 0 ? 'there are none yet' : list(keys.slice(-MAX_KEYS_NAMED), 'or')
  const more = keys.length > MAX_KEYS_NAMED ? ` (and ${keys.length - MAX_KEYS_NAMED} more: animal-store-mock sandboxes)` : ''
  throw new UsageError(`Sandboxes are on; name one with --sandbox <key>: ${known}${more}`)
}

/** The value of an argument; an error names the command and what was typed. */
export function readArgument<T>(command: string, text: string, parse: (text: string) => T, alternative = ''): T {
  try {
    return parse(text)
  } catch (error) {
    if (!isUsageError(error)) throw error
    throw new UsageError(error.problems.map((problem) => `${command} ${text}: ${problem}${alternative}`))
  }
}

/** Warns that a command without a key has left the sandboxes alone, if the mock has them. */
export function notifySandboxes(
  { sandbox }: RemoteFlags,
  { sandboxes }: Pick<StateSummary, 'sandboxes'>,
  effect: string,
  remedy = 'name one with --sandbox <key>',
): void {
  if (sandbox === undefined && sandboxes !== undefined) notify(`Sandboxes are on: ${effect}; ${remedy}`)
}

/** Whether the sandbox that a command names is there already; true if it names none. */
export async function hasSandbox({ sandbox }: RemoteFlags, mock: ControlClient): Promise<boolean> {
  return sandbox === undefined || (await mock.sandboxes()).includes(sandbox)
}

/** Refuses a sandbox that is not there: the control API would show or create a fresh one, and a slip in the key look like a success. */
async function checkSandbox(flags: RemoteFlags, mock: ControlClient): Promise<void> {
  if (await hasSandbox(flags, mock)) return
  // The mock says so if sandboxes are off, or if this cannot be a key.
  await mock.summary()
  const { sandbox = '' } = flags
  throw missingSandbox(sandbox, await mock.sandboxes(), '; the first request with that key creates it, and so does seed')
}

export function missingSandbox(key: string, keys: readonly string[], hint = ''): UsageError {
  const near = findNear(key, keys)
  return new UsageError(`There is no sandbox ${JSON.stringify(key)}${near.length > 0 ? `; did you mean ${list(near, 'or')}?` : hint}`)
}

export function toClockText({ now, frozen }: ClockState): string {
  return `${escapeUnsafe(now)}${frozen ? ' (frozen)' : ''}`
}
