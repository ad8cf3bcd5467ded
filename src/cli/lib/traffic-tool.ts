// A tool for agents that reads a file of traffic. Only the command line offers it: a running mock
// reads no files for its clients.
import { BOOLEAN, TEXT } from '../../contract/options.ts'
import type { Fields } from '../../contract/schema.ts'
import { checkInput } from '../../control/check-call.ts'
import { openState, sandboxArgument } from '../../control/mcp/reach.ts'
import type { Tool } from '../../control/mcp/tools.ts'
import { calibrateFile } from './calibrate-file.ts'
import { describeCalibration } from './describe-calibration.ts'

const input: Fields = {
  file: { ...TEXT, description: 'A HAR, of the developer tools of a browser or of Playwright.' },
  load: { ...BOOLEAN, description: 'Gives the mock the animals and choices that it shows.' },
  sandbox: sandboxArgument,
}
const required = ['file']

export const trafficTool: Tool = {
  name: 'calibrate_from_traffic',
  description:
    'Learn from recorded traffic how the real service differs from the spec and from the mock.',
  isReadOnly: false,
  isDestructive: false,
  inputSchema: { type: 'object', properties: input, required },
  async run(given, reach) {
    const { file, load, sandbox } = checkInput({ input, required }, given)
    const result = await calibrateFile(String(file))
    const lines = describeCalibration(result)
    if (load !== true) return lines
    const { call } = await openState(reach, sandbox, false)
    await call('load', { scenario: result.scenario })
    return [...lines, 'loaded']
  },
}
