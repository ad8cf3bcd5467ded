// Schemas of what lets a client in: API keys, control tokens, hosts and origins.
import { B64TOKEN } from '../../contract/address.ts'
import { MAX_KEY_CHARACTERS, MIN_TOKEN_CHARACTERS } from '../../contract/limits.ts'
import type { Schema } from '../../contract/schema.ts'

export const SANDBOX_NAME = `a name of 1 to ${MAX_KEY_CHARACTERS} of a bearer token's characters`

const describeToken = (minLength: number) =>
  `a bearer token (RFC 6750) of ${minLength} to ${MAX_KEY_CHARACTERS} characters`

const bearerToken = (minLength: number, title = describeToken(minLength)): Schema => ({
  type: 'string',
  pattern: B64TOKEN.source,
  minLength,
  maxLength: MAX_KEY_CHARACTERS,
  title,
  writeOnly: true,
})

export const apiKeySchema = /* @__PURE__ */ bearerToken(1)
/** A key names its sandbox, so a name may be what a key may be. */
export const sandboxSchema: Schema = /* @__PURE__ */ bearerToken(1, SANDBOX_NAME)
export const controlTokenSchema = /* @__PURE__ */ bearerToken(MIN_TOKEN_CHARACTERS)

export const HOST_NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?$/
export const hostSchema = {
  type: 'string',
  pattern: HOST_NAME.source,
  title: 'a host name, without scheme and port',
}

/** Its fragment is for the recording. */
export const playerSchema: Schema = {
  type: 'string',
  pattern: '^https?:\\/\\/[^\\s\\/?#]+(?:\\/[^\\s#]*)?$',
  title: 'an address such as https://a.test/',
}

export const corsOriginSchema: Schema = {
  type: 'string',
  pattern: '^(?:[*]|[a-z][a-z0-9+.\\-]*:\\/\\/[^\\s\\/?#A-Z]+)$',
  title: 'an origin such as "https://app.example.com" (no path, in lower case), or "*"',
}
