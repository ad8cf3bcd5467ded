// The entry point `animal-store-mock/control`: the control of a running mock, from a test, a script or a page.
import { describeValue } from '../contract/describe-value.ts'
import { UsageError } from '../contract/errors.ts'
import { type OptionSchemas, readOptions, TEXT } from '../contract/options.ts'
import { DEFAULT_PORT } from '../control/methods.ts'
import { createClient, type RemoteControl } from './client.ts'

export { ControlError, type RemoteControl, type RemoteStateControl } from './client.ts'

/** How to reach a mock. */
export interface ConnectOptions {
  /** The API key whose sandbox the methods are for. @default the shared state */
  readonly sandbox?: string | undefined
  /** The mock's control token, if it has one. @default none */
  readonly token?: string | undefined
}

const schemas: OptionSchemas<ConnectOptions> = { sandbox: TEXT, token: { ...TEXT, writeOnly: true } }

/**
 * Connects to a running mock; `url` may end in `/v1`. Methods reject with a ControlError if they fail.
 *
 * @example
 * const control = connect('http://127.0.0.1:7387')
 * await control.load('sold-out')
 */
export function connect(url: string, options: ConnectOptions = {}): RemoteControl {
  const example = `http://127.0.0.1:${DEFAULT_PORT}`
  if (!/^https?:\/\/./i.test(url)) throw new UsageError(`connect: expected an address such as ${example}, got ${describeValue(url)}`)
  const { sandbox, token } = readOptions<ConnectOptions>('connect', schemas, options)
  return createClient(url, { sandbox, token: () => token })
}
