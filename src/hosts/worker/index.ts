// The mock on Cloudflare Workers or workerd, as a deployment exports it: a router, and the class of its Durable Objects.
import { DurableObject, env as ownBindings } from 'cloudflare:workers'
import { isUsageError } from '../../contract/errors.ts'
import { readBindings, type Settings } from './bindings.ts'
import { toHead, toRefusal } from './carry.ts'
import type { ObjectState, WorldObject } from './platform.ts'
import { findKey, SHARED } from './world-name.ts'
import { createWorldObject } from './world-object.ts'

type Bindings = Readonly<Record<string, unknown>>

/** The settings of each set of bindings, read once: there is one set for all objects of a deployment. */
const known = new WeakMap<Bindings, Settings>()

function toSettings(bindings: Bindings): Settings {
  const settings = known.get(bindings) ?? readBindings(bindings)
  known.set(bindings, settings)
  return settings
}

// A deployment with a wrong binding does not start, and says which.
if (ownBindings) toSettings(ownBindings)

/** Passes every request on to the world that it is for. */
const router = {
  fetch(request: Request, bindings: Bindings): Promise<Response> | Response {
    try {
      const settings = toSettings(bindings)
      const { worlds } = settings
      return worlds
        .get(worlds.idFromName(findKey(toHead(request), settings) ?? SHARED))
        .fetch(request)
        .catch(toFailure)
    } catch (error) {
      if (!isUsageError(error)) throw error
      console.error(error.message)
      return toRefusal(500, error.message)
    }
  },
}

/** An object that cannot start or was given up, mostly because of its storage. */
function toFailure(error: unknown): Response {
  console.error(error)
  return toRefusal(500, 'The world of this request does not work; see the log')
}

export default router

/** One world: the sandbox of an API key, or the shared one. Its binding is `WORLDS`. */
export const World: new (state: unknown, bindings: unknown) => WorldObject = class World extends DurableObject implements WorldObject {
  readonly #object: WorldObject

  constructor(state: unknown, bindings: unknown) {
    super(state, bindings)
    this.#object = createWorldObject(state as ObjectState, toSettings(bindings as Bindings))
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

  turnAway(request: Request): Promise<Response> {
    return this.#object.turnAway(request)
  }

  erase(): Promise<void> {
    return this.#object.erase()
  }
}
