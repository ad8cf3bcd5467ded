// `mcp`: lets a coding agent drive a mock, over the Model Context Protocol on standard input and output.
import { defineCommand } from '../command.ts'
import { flagTables } from '../flags.ts'
import { notify } from '../output.ts'
import { toClientOptions, withMock } from '../with-mock.ts'

export const mcpCommand = defineCommand({
  summary: 'let a coding agent drive a mock, over MCP on standard input and output',
  flags: flagTables.mcp,
  examples: ['mcp', 'mcp --start', 'mcp --start --scenario sold-out', 'mcp --url http://127.0.0.1:8080'],
  notes: ['The same server is at /__mock/mcp of a running mock. docs/agents.md has the configuration of editors and agents.'],
  async run({ start, scenario, ...flags }) {
    const own = start ? await startOwn(scenario) : undefined
    const url = own?.url ?? flags.url
    // Fails now, with the cure, rather than at the first call of the agent.
    await withMock({ ...flags, url }, (mock) => mock.summary())
    const { serveMcp } = await import('../../mcp/serve.ts')
    const end = () => void own?.stop()
    serveMcp(url, toClientOptions(flags), ({ message }) => notify(message), end)
  },
})

/** Its address is for the app too. */
async function startOwn(scenario: string) {
  const { startMock } = await import('../start-mock.ts')
  const { serving, stop } = await startMock({ scenario, control: true }, 'silent', () => process.stderr)
  notify(`API ${serving.url}`)
  return { url: serving.url, stop }
}
