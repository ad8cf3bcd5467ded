// How a tool reaches the mock, and the state of it that the agent named.
import { checkValue, TEXT } from '../../contract/options.ts'
import type { Schema } from '../../contract/schema.ts'
import { bindMethods } from '../bind-methods.ts'
import { checkSandbox } from '../check-call.ts'
import type { RemoteControl } from '../client/client.ts'
import type { ControlMethod, Result } from '../control.ts'
import type { Input } from '../method-row.ts'
import { methods } from '../methods.ts'
import { ALL_SANDBOXES, meansAllSandboxes } from '../protocol.ts'

type CallMethod = (name: ControlMethod, input: Input) => Result | Promise<Result>

export interface Reach {
  readonly mockUrl: string
  /**
   * Calls a method for the shared state, or for the sandbox of a key; `*` means all where a method
   * can concern all.
   */
  callFor(sandbox: string | undefined, ...call: Parameters<CallMethod>): ReturnType<CallMethod>
  readonly service: typeof fetch
  readonly hint?: string
  readonly sandbox?: string | undefined
}

/**
 * `call` is for the state that the agent named. `isShared`: there are sandboxes, and it named none.
 */
export type Use = Reach & { readonly call: CallMethod; readonly isShared: boolean }

export const sandboxArgument: Schema = TEXT

export function controlBy(call: CallMethod): RemoteControl {
  const run = async (name: ControlMethod, input: () => Input) => {
    const { result } = await call(name, input())
    return result
  }
  return bindMethods(run) as RemoteControl
}

/** `starts`: a request starts the sandbox of its key, so that any key is right. */
export async function openState(reach: Reach, named: unknown, starts: boolean): Promise<Use> {
  const key = readKey(reach, named)
  const whole = controlBy((name, input) => reach.callFor(undefined, name, input))
  const { sandboxes } = await whole.summary()
  const hasSandboxes = sandboxes !== undefined
  const isAll = meansAllSandboxes(key)
  const isChecked = hasSandboxes && !starts && key !== undefined && !isAll
  const keys = isChecked ? await whole.sandboxes() : undefined

  function call(name: ControlMethod, input: Input): Result | Promise<Result> {
    const row = methods[name]
    if (keys && key !== undefined) checkSandbox(row, key, keys)
    const usual = hasSandboxes && row.hasAll ? ALL_SANDBOXES : undefined
    return reach.callFor(key ?? usual, name, input)
  }

  return {
    ...reach,
    sandbox: isAll ? undefined : key,
    isShared: hasSandboxes && key === undefined,
    call,
  }
}

function readKey(reach: Reach, named: unknown): string | undefined {
  if (named === undefined) return reach.sandbox
  return checkValue(sandboxArgument, named as string, 'sandbox')
}
