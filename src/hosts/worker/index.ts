// The mock on Cloudflare Workers or workerd, as a deployment exports it: a router, and the class of its Durable Objects.
import { DurableObject, env as ownBindings } from 'cloudflare:workers'
import { UsageError } from '../../contract/errors.ts'
import { readBindings, type Settings } from './bindings.ts'
import { toCall, toRefusal } from './carry.ts'
import type { ObjectState, SandboxObject } from './platform.ts'
import { findKey, SHARED } from './sandbox-key.ts'
import { createSandboxObject } from './sandbox-object.ts'

type Bindings = Readonly<Record<string, unknown>>

/** The settings of each set of bindings, read once: all objects of a deployment have the same set. */
const known = new WeakMap<Bindings, Settings>()

function toSettings(bindings: Bindings): Settings {
  const settings = known.get(bindings) ?? readBindings(bindings)
  known.set(bindings, settings)
  return settings
}

// A deployment with a wrong binding does not start, and names it.
if (ownBindings) toSettings(ownBindings)

/** Passes every request on to the object of its sandbox. */
const router = {
  fetch(request: Request, bindings: Bindings): Promise<Response> | Response {
    try {
      const settings = toSettings(bindings)
      const { sandboxes } = settings
      return sandboxes
        .get(sandboxes.idFromName(findKey(toCall(request), settings) ?? SHARED))
        .fetch(request)
        .catch(toFailure)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      console.error(error.message)
      return toRefusal(500, error.message)
    }
  },
}

/** The response for an object that cannot start or has ended, mostly because of its storage. */
function toFailure(error: unknown): Response {
  console.error(error)
  return toRefusal(500, 'The sandbox of this request does not work; see the log')
}

export default router

/** The sandbox of an API key, or the shared state. Its binding is `SANDBOXES`. */
export const Sandbox: new (state: unknown, bindings: unknown) => SandboxObject = class Sandbox
  extends DurableObject
  implements SandboxObject
{
  readonly #object: SandboxObject

  constructor(state: unknown, bindings: unknown) {
    super(state, bindings)
    this.#object = createSandboxObject(state as ObjectState, toSettings(bindings as Bindings))
  }

  fetch(request: Request): Promise<Response> {
    return this.#object.fetch(request)
  }

  base(): Promise<string> {
    return this.#object.base()
  }

  enlist(key: string): Promise<void> {
    return this.#object.enlist(key)
  }

  count(): Promise<number> {
    return this.#object.count()
  }

  erase(): Promise<void> {
    return this.#object.erase()
  }
}
