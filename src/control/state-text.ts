// The whole world as JSON. Its animals are texts already: to read and print half a million of them would take seconds, in which nobody
// else is answered.
import { toJson } from '../contract/int64-json.ts'
import type { World } from '../world/world.ts'

/** The same text as that of `world.state()`. */
export function toStateText(world: World): string {
  const { name, description, ...rest } = world.state({ pets: false })
  const head = toJson({ name, description })
  return `${head.slice(0, -1)},"pets":[${world.catalogue.texts().join(',')}],${toJson(rest).slice(1)}`
}
