// `reset`: back to the scenario that was loaded.
import { defineCommand } from '../command.ts'
import { flagTables } from '../flags.ts'
import { print } from '../output.ts'
import { withState } from '../with-mock.ts'
import { describeSummary } from '../wording.ts'

export const resetCommand = defineCommand({
  summary: 'reset a running mock to its scenario, and clear its requests',
  flags: flagTables.remote,
  examples: ['reset', 'reset --url http://127.0.0.1:8080/v1'],
  async run(flags) {
    const health = await withState(flags, (mock) => mock.reset())
    await print(`Reset to ${describeSummary(health)}\n`)
  },
})
