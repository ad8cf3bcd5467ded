// `mcp`: lets a coding agent drive a mock, over the Model Context Protocol on standard input and
// output.
import { homepage } from '../../contract/generated/version.ts'
import { withoutUndefined } from '../../contract/values.ts'
import { createClient } from '../../control/client/client.ts'
import type { Reach } from '../../control/mcp/reach.ts'
import { findMockUrl, findUrlSandbox } from '../../control/protocol.ts'
import { defineCommand } from '../lib/command.ts'
import { type MockFlags, mockFlags, parsePort, remoteFlags, toLocalUrl } from '../lib/flags.ts'
import { complain, notify } from '../lib/output.ts'
import { type Running, startMock } from '../lib/start-mock.ts'
import { trafficTool } from '../lib/traffic-tool.ts'
import { responds } from '../lib/with-mock.ts'

// Without defaults, to know what was typed.
const { port, url, ...others } = remoteFlags
const { default: defaultUrl, ...typedUrl } = url
const { default: defaultScenario, syntax } = mockFlags.scenario
const conflicts = ['url', 'sandbox', 'controlToken']

export const mcpCommand = defineCommand({
  summary: 'let a coding agent drive a mock, over MCP on standard input and output',
  flags: {
    start: { syntax: '--start', help: 'start a mock for it, even if one is running', conflicts },
    scenario: { syntax, help: 'start a mock for it, from this scenario', conflicts },
    ...others,
    port: {
      ...port,
      help: 'port of the mock on this machine, or of the one that --start starts',
      parse: parsePort,
      sets: 'port',
      conflicts: ['url'],
    },
    url: typedUrl,
  },
  examples: ['mcp', 'mcp --scenario sold-out', 'mcp --start', 'mcp --url http://127.0.0.1:8080'],
  notes: [
    'Without --url and --port it uses the mock on the default port, or starts one if there is ' +
      'none.',
    'The same server is at /__mock/mcp of a running mock. ' +
      `Configuration of editors: ${homepage}agents`,
  ],
  async run(flags) {
    const { controlToken, port } = flags
    const url = port === undefined ? flags.url : toLocalUrl(port)
    const sandbox = flags.sandbox ?? findUrlSandbox(url ?? defaultUrl)
    const token = () => controlToken
    const isAsked = flags.start || flags.scenario !== undefined
    const needsOwn = isAsked || (url === undefined && !(await isUsualThere(token)))
    const scenario = flags.scenario ?? defaultScenario
    const own = needsOwn ? await startOwn(scenario, port) : undefined
    const { serveMcp } = await import('../../control/mcp/serve.ts')
    const mockUrl = findMockUrl(own?.serving.url ?? url ?? defaultUrl)
    const address = new URL(mockUrl)
    const command = address.port === '' ? '' : `: npx animal-store-mock --port ${address.port}`
    const reach: Reach = {
      mockUrl,
      callFor: (key, ...call) => createClient(mockUrl, { token, sandbox: key }).call(...call),
      service: fetch,
      sandbox,
      hint: `Ask the user to start one there${command}`,
    }
    const report = (error: Error) => complain(error.message)
    serveMcp(reach, report, () => own?.stop(), [trafficTool])
  },
})

/** Whether a mock is on the default port. */
function isUsualThere(token: () => string | undefined): Promise<boolean> {
  return responds(createClient(findMockUrl(defaultUrl), { token }))
}

async function startOwn(scenario: string, port: number | undefined): Promise<Running> {
  const flags = withoutUndefined({ scenario, port, control: true, log: 'silent' } as const)
  const own = await startMock(flags as MockFlags, process.stderr)
  notify(`API ${own.serving.url}`)
  return own
}
