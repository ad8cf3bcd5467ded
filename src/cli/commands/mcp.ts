// `mcp`: lets a coding agent drive a mock, over the Model Context Protocol on standard input and output.
import { type ControlError, createClient, findOrigin } from '../../client/client.ts'
import { resources } from '../../control/routes.ts'
import type { Reach } from '../../mcp/answers.ts'
import { defineCommand, flagTables, type RemoteFlags } from '../flags.ts'
import { notify } from '../output.ts'
import { startMock } from '../start-mock.ts'
import { toClientOptions } from '../with-mock.ts'

export const mcpCommand = defineCommand({
  summary: 'let a coding agent drive a mock, over MCP on standard input and output',
  flags: flagTables.mcp,
  examples: ['mcp', 'mcp --scenario sold-out', 'mcp --start', 'mcp --url http://127.0.0.1:8080'],
  notes: [
    'Without --url and --port it uses the mock on the default port, or starts one if there is none.',
    'The same server is at /__mock/mcp of a running mock. docs/agents.md has the configuration of editors and agents.',
  ],
  async run({ start = false, scenario, ...flags }) {
    const { url: usual, scenario: preset } = flagTables.mcp
    const isNeeded = start || scenario !== preset.default || (flags.url === usual.default && !(await isThere(flags)))
    const own = isNeeded ? await startMock({ scenario, control: true }, 'silent', () => process.stderr) : undefined
    const url = own?.serving.url ?? flags.url
    // The app needs the address too.
    if (own) notify(`API ${url}`)
    const { serveMcp } = await import('../../mcp/serve.ts')
    const origin = findOrigin(url)
    const options = toClientOptions(flags)
    const reach: Reach = {
      origin,
      callFor: (sandbox, name, input) => createClient(url, { ...options, sandbox }).call(name, input),
      service: fetch,
      sandbox: flags.sandbox,
      ...resources,
      hint: `Ask the user to start one there: npx animal-store-mock --port ${new URL(origin).port}`,
    }
    const report = ({ message }: Error) => notify(message)
    serveMcp(reach, report, () => own?.stop())
  },
})

function isThere(flags: RemoteFlags): Promise<boolean> {
  const asked = createClient(flags.url, toClientOptions(flags)).summary()
  return asked.then(() => true).catch(({ status }: ControlError) => status !== 0)
}
