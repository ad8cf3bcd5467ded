// The worker as the tests start it: many deployments in one process, each with bindings and objects of its own. A request names its
// deployment in a field; `PUT /deployments/<name>` makes one of the bindings in its body, and `PUT /evict/<name>/<world>` evicts a world.
import router, { Sandbox as OneSandbox } from '../../src/hosts/worker/index.ts'

const deployments = new Map()

function toBindings(name, env) {
  const given = deployments.get(name)
  given.whole ??= {
    ...given.bindings,
    SANDBOXES: {
      idFromName: (world) => env.SANDBOXES.idFromName(`${name}/${world}`),
      get: (id) => env.SANDBOXES.get(id),
    },
  }
  return given.whole
}

export default {
  async fetch(request, env) {
    const name = request.headers.get('x-deployment')
    if (name !== null) return router.fetch(request, toBindings(name, env))
    const [, what, deployment, world] = new URL(request.url).pathname.split('/').map(decodeURIComponent)
    if (what === 'evict') {
      const { SANDBOXES } = toBindings(deployment, env)
      await SANDBOXES.get(SANDBOXES.idFromName(world))
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

  /** As the platform does with an object that nobody has used for a while. */
  evict() {
    this.state.abort('evicted')
  }
}
