// `seed`: loads a scenario into a running mock.
import { isUsageError, UsageError } from '../../contract/errors.ts'
import type { ScenarioName } from '../../generated/scenarios.ts'
import { MAX_DOCUMENT_BYTES } from '../../limits.ts'
import { isScenarioFile } from '../../scenario/document.ts'
import { readScenarioFile } from '../../scenario/files.ts'
import { defineCommand } from '../command.ts'
import { remoteFlags } from '../flags.ts'
import { print } from '../print-document.ts'
import { toHealthText } from '../say.ts'
import { hasSandbox, notifySandboxes, withMock } from '../with-mock.ts'

export const seedCommand = defineCommand({
  summary: 'load a scenario into a running mock, and clear its requests',
  arguments: [['<name|file>', 'a shipped scenario, or your own file']],
  flags: remoteFlags,
  examples: ['seed sold-out', 'seed ./scenario.yaml --sandbox worker-1'],
  async run(flags, [nameOrFile = '']) {
    const document = isScenarioFile(nameOrFile) ? await readScenarioFile(nameOrFile) : undefined
    const { isNew, health } = await withMock(flags, async (mock) => ({
      isNew: !(await hasSandbox(flags, mock)),
      health: await (document
        ? mock.load(document).catch((error) => explainSize(error, nameOrFile))
        : mock.load(nameOrFile as ScenarioName)),
    })).catch(addFile)
    notifySandboxes(flags, health, 'existing ones keep their state')
    const world = toHealthText(health)
    await print(isNew ? `Created sandbox ${flags.sandbox} with ${world}\n` : `Loaded ${world} and cleared the requests\n`)
  },
})

/** A file that the command line reads has no limit; what is sent has one. */
function explainSize(error: unknown, file: string): never {
  if ((error as { status?: unknown }).status !== 413) throw error
  throw new UsageError(
    `${file}: larger than the ${MAX_DOCUMENT_BYTES / 2 ** 20} MiB that can be sent; start the mock with --scenario ${file}`,
  )
}

/** The mock knows its scenarios, but not that the command takes a file too. */
function addFile(error: unknown): never {
  const [, expected, got] = (isUsageError(error) && /^name: (expected .*), (got .*)$/.exec(error.message)) || []
  throw expected === undefined ? error : new UsageError(`scenario: ${expected}, or a file, ${got}`)
}
