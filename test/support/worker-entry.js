// The worker for the tests: many deployments in one process, each with its own bindings and objects. A request names its deployment in a
// field. `PUT /deployments/<name>` creates one from the bindings in its body, and `PUT /evict/<name>/<object>` evicts an object.
import { readBindings } from '../../src/hosts/worker/bindings.ts'
import { BoundSandbox } from '../../src/hosts/worker/bound-sandbox.ts'
import { toCall } from '../../src/hosts/worker/carry.ts'
import { findSandbox, SHARED_NAME } from '../../src/hosts/worker/find-sandbox.ts'

/** The settings of each deployment, by its name. */
const deployments = new Map()

export default {
  async fetch(request, env) {
    const name = request.headers.get('x-deployment')
    const settings = deployments.get(name)
    if (settings)
      return settings.toObject(findSandbox(toCall(request), settings) ?? SHARED_NAME).fetch(request)
    const [, what, deployment, object] = new URL(request.url).pathname
      .split('/')
      .map(decodeURIComponent)
    if (what === 'evict') {
      await deployments
        .get(deployment)
        .toObject(object)
        .evict()
        .catch(() => {})
    } else {
      const idFromName = (object) => env.SANDBOXES.idFromName(`${deployment}/${object}`)
      const SANDBOXES = { idFromName, get: (id) => env.SANDBOXES.get(id) }
      deployments.set(deployment, readBindings({ ...(await request.json()), SANDBOXES }))
    }
    return new Response(null, { status: 204 })
  },
}

export class Sandbox extends BoundSandbox {
  constructor(state, env) {
    super(state, env, deployments.get(state.id.name.split('/', 1)[0]))
  }

  /** As the platform does with an idle object. */
  evict() {
    this.ctx.abort('evicted')
  }
}
