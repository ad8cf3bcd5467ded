// The MCP server on standard input and output, and as a route of the control API (Streamable HTTP, one response for each request). Loaded
// when it is first used: the SDK takes longer to load than the mock takes to start.
import { createMcpHandler } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type ClientOptions, createClient } from '../client/client.ts'
import type { RouteOutcome } from '../control/routes.ts'
import type { Call } from '../service/call.ts'
import { createMcpServer } from './server.ts'

/** For the mock at that address, until standard input ends. */
export function serveMcp(url: string, options: ClientOptions): void {
  serveStdio(() => createMcpServer(createClient(url, options), url))
}

/** The options reach the control API of the mock that has the route. */
export function createMcpRoute(options: ClientOptions): (call: Call) => Promise<RouteOutcome> {
  const create = (origin: string) => createMcpServer(createClient(origin, options), origin)
  const handler = createMcpHandler(({ requestInfo }) => create(new URL((requestInfo as Request).url).origin), {
    responseMode: 'auto',
    // A subscription would be a response without end; over HTTP the log is read again instead.
    maxSubscriptions: 0,
  })
  return async ({ method, target, fields = [], body, header }) => {
    const headers = new Headers()
    for (let index = 0; index + 1 < fields.length; index += 2) headers.append(fields[index] as string, fields[index + 1] as string)
    const response = await handler.fetch(
      new Request(`http://${header('host')}${target}`, { method, headers, ...(body && { body: new TextDecoder().decode(body) }) }),
    )
    return { status: response.status, text: await response.text(), type: response.headers.get('content-type') ?? 'text/plain' }
  }
}
