// `mcp`: lets a coding agent drive a mock, over the Model Context Protocol on standard input and output.
import { createClient } from '../../client/client.ts'
import { findMockUrl } from '../../control/methods.ts'
import type { Reach } from '../../mcp/answers.ts'
import { defineCommand, remoteFlags, scenarioFlag } from '../flags.ts'
import { notify } from '../output.ts'
import { startMock } from '../start-mock.ts'
import { responds } from '../with-mock.ts'

const conflicts = ['url', 'sandbox', 'controlToken']

export const mcpCommand = defineCommand({
  summary: 'let a coding agent drive a mock, over MCP on standard input and output',
  flags: {
    start: { syntax: '--start', help: 'start a mock for it, even if one is running', conflicts },
    scenario: { ...scenarioFlag, help: 'start a mock for it, from this scenario', conflicts },
    ...remoteFlags,
  },
  examples: ['mcp', 'mcp --scenario sold-out', 'mcp --start', 'mcp --url http://127.0.0.1:8080'],
  notes: [
    'Without --url and --port it uses the mock on the default port, or starts one if there is none.',
    'The same server is at /__mock/mcp of a running mock. docs/agents.md has the configuration of editors and agents.',
  ],
  async run({ start = false, scenario, url: given, sandbox, controlToken }) {
    const token = () => controlToken
    const isMissing = async () => given === remoteFlags.url.default && !(await responds(createClient(given, { token })))
    const isNeeded = start || scenario !== scenarioFlag.default || (await isMissing())
    const own = isNeeded ? await startMock({ scenario, control: true, log: 'silent' }, process.stderr) : undefined
    const url = own?.serving.url ?? given
    if (own) notify(`API ${url}`)
    const { serveMcp } = await import('../../mcp/serve.ts')
    const mockUrl = findMockUrl(url)
    const { port } = new URL(mockUrl)
    const reach: Reach = {
      mockUrl,
      callFor: (key, ...call) => createClient(url, { token, sandbox: key }).call(...call),
      service: fetch,
      sandbox,
      hint: `Ask the user to start one there${port && `: npx animal-store-mock --port ${port}`}`,
    }
    const report = ({ message }: Error) => notify(message)
    serveMcp(reach, report, () => own?.stop())
  },
})
