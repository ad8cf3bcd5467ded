// `seed`: loads a scenario into a running mock.
import { findScenario } from '../../scenario/files.ts'
import { defineCommand } from '../command.ts'
import { flagTables } from '../flags.ts'
import { notify, print } from '../output.ts'
import { withState } from '../with-mock.ts'
import { describeSummary } from '../wording.ts'

export const seedCommand = defineCommand({
  summary: 'load a scenario into a running mock, and clear its requests',
  arguments: [['<name|file>', 'a shipped scenario, or your own file']],
  flags: flagTables.remote,
  examples: ['seed sold-out', 'seed ./scenario.yaml --sandbox worker-1'],
  async run(flags, [nameOrFile = '']) {
    const scenario = await findScenario(nameOrFile)
    const health = await withState(flags, (mock) => mock.load(scenario), { creates: true, isKeyless: true })
    if (flags.sandbox === undefined && health.sandboxes !== undefined) {
      notify('Sandboxes are on: existing ones keep their state; name one with --sandbox <key>')
    }
    await print(`Loaded ${describeSummary(health)} and cleared the requests\n`)
  },
})
