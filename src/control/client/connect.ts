// The entry point `animal-store-mock/control`: the control of a running mock, from a test, a script
// or a page.
import { checkValue, readOptions } from '../../contract/options.ts'
import { controlTokenSchema, sandboxSchema } from '../../scenario/settings/access.ts'
import { findUrlSandbox, parseMockUrl } from '../protocol.ts'
import { createClient, type RemoteControl } from './client.ts'

export { UsageError } from '../../contract/errors.ts'
export type { RemoteControl, RemoteStateControl } from './client.ts'

/** How to reach a mock. */
export interface ConnectOptions {
  /**
   * The sandbox that the methods are for: an API key, or a name. @default that in the prefix of
   * `url`, or the shared state
   */
  readonly sandbox?: string | undefined
  /** The mock's control token, if it has one. @default none */
  readonly token?: string | undefined
}

/**
 * Connects to a running mock; `url` may end in `/v1`. Methods reject with a UsageError if they
 * fail.
 *
 * @example
 * const control = connect('http://127.0.0.1:7387')
 * await control.load('sold-out')
 */
export function connect(url: string, options: ConnectOptions = {}): RemoteControl {
  const schemas = { sandbox: sandboxSchema, token: controlTokenSchema }
  const mockUrl = parseMockUrl(url, 'url', 'connect')
  const given = readOptions<ConnectOptions>('connect', schemas, options)
  const { sandbox = findUrlSandbox(url), token } = given
  const client = createClient(mockUrl, { sandbox, token: () => token })
  return { ...client, sandbox: (key) => client.sandbox(checkValue(sandboxSchema, key, 'sandbox')) }
}
