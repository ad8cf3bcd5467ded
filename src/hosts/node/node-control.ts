// The control API on a real port, and its token.
import { createLocalFetch } from '../../client/local-fetch.ts'
import { BOOLEAN, CHECKED_LATER } from '../../contract/options.ts'
import { type ControlApi, createControlApi } from '../../control/api.ts'
import { parseControlToken } from '../../control/guard.ts'
import type { McpRoute, RouteOutcome } from '../../control/routes.ts'
import type { Mock } from '../../mock/mock.ts'
import type { Call } from '../../service/call.ts'

/** The options of both doors. The token has its own check, which does not repeat it. */
export const controlSchemas = { control: BOOLEAN, controlToken: CHECKED_LATER }

export interface NodeControl extends ControlApi {
  /** The token that a client has to send, if any. */
  readonly token: string | undefined
}

interface NodeControlSettings {
  readonly isOn: boolean
  /** Whether others on the network can reach it, so that it needs a token; one is generated if none is given. */
  readonly isExposed: boolean
  readonly token: string | undefined
  readonly schemes?: readonly string[]
}

export function createNodeControl({ control, fetch }: Pick<Mock, 'control' | 'fetch'>, settings: NodeControlSettings): NodeControl {
  const token = chooseToken(settings)
  let route: McpRoute | undefined
  async function mcp(call: Call): Promise<RouteOutcome> {
    const { createMcpRoute } = await import('../../mcp/serve.ts')
    route ??= createMcpRoute({ fetch: createLocalFetch(api.answer), token: () => token, service: fetch })
    return route(call)
  }
  const api = createControlApi(control, { ...settings, token, mcp })
  return { token, ...api }
}

function chooseToken({ isOn, isExposed, token }: NodeControlSettings): string | undefined {
  if (!isOn) return undefined
  if (token !== undefined) return parseControlToken(token)
  return isExposed ? Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url') : undefined
}
