// The mock on Cloudflare Workers or workerd, as a deployment exports it: a router, and its Durable
// Objects.
import { env } from 'cloudflare:workers'
import { ApiError } from '../../contract/errors.ts'
import { readBindings, type SandboxObject } from './bindings.ts'
import { BoundSandbox } from './bound-sandbox.ts'
import { toCall, toRefusal } from './carry.ts'
import { findSandbox, SHARED_NAME } from './find-sandbox.ts'
import type { ObjectState } from './storage.ts'

/** A deployment with a wrong binding does not start, and names it. */
const settings = readBindings(env)

export default {
  async fetch(request: Request): Promise<Response> {
    const name = findSandbox(toCall(request), settings) ?? SHARED_NAME
    return settings
      .toObject(name)
      .fetch(request)
      .catch((error) => {
        // The sandbox cannot start or has stopped. The usual cause is its storage.
        console.error(error)
        return toRefusal(
          new ApiError(500, 'The sandbox of this request does not work; see the log'),
        )
      })
  },
}

/** The sandbox of an API key, or the shared state. Its binding is `SANDBOXES`. */
export const Sandbox: new (state: unknown, bindings: unknown) => SandboxObject =
  class Sandbox extends BoundSandbox {
    constructor(state: unknown, bindings: unknown) {
      super(state as ObjectState, bindings, settings)
    }
  }
