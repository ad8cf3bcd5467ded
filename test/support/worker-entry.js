// The worker for the tests: many deployments in one process, each with its own bindings and objects. A request names its deployment in a
// field. `PUT /deployments/<name>` creates one from the bindings in its body, and `PUT /evict/<name>/<object>` evicts an object.
import router, { Sandbox as OneSandbox } from '../../src/hosts/worker/index.ts'

const deployments = new Map()

function toBindings(name, env) {
  const given = deployments.get(name)
  given.whole ??= {
    ...given.bindings,
    SANDBOXES: {
      idFromName: (object) => env.SANDBOXES.idFromName(`${name}/${object}`),
      get: (id) => env.SANDBOXES.get(id),
    },
  }
  return given.whole
}

export default {
  async fetch(request, env) {
    const name = request.headers.get('x-deployment')
    if (name !== null) return router.fetch(request, toBindings(name, env))
    const [, what, deployment, object] = new URL(request.url).pathname.split('/').map(decodeURIComponent)
    if (what === 'evict') {
      const { SANDBOXES } = toBindings(deployment, env)
      await SANDBOXES.get(SANDBOXES.idFromName(object))
        .evict()
        .catch(() => {})
      return new Response(null, { status: 204 })
    }
    deployments.set(deployment, { bindings: await request.json() })
    return new Response(null, { status: 204 })
  },
}

export class Sandbox extends OneSandbox {
  constructor(state, env) {
    super(state, toBindings(state.id.name.split('/', 1)[0], env))
    this.state = state
  }

  /** As the platform does with an idle object. */
  evict() {
    this.state.abort('evicted')
  }
}
