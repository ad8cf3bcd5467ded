// `reset`: back to the scenario that was loaded.
import type { ControlClient } from '../../client/control-client.ts'
import { UsageError } from '../../contract/errors.ts'
import { findNear } from '../../contract/near-names.ts'
import { list } from '../../contract/schema.ts'
import { defineCommand } from '../command.ts'
import { type RemoteFlags, remoteFlags } from '../flags.ts'
import { print } from '../print-document.ts'
import { toHealthText } from '../say.ts'
import { hasSandbox, noteSandboxes, withMock } from '../with-mock.ts'

export const resetCommand = defineCommand({
  summary: 'reset a running mock to its scenario, and empty its journal',
  flags: remoteFlags,
  examples: ['reset', 'reset --url http://127.0.0.1:8080/v1'],
  async run(flags) {
    const health = await withMock(flags, async (mock) => {
      await checkSandbox(flags, mock)
      return mock.reset()
    })
    noteSandboxes(flags, health, 'existing ones keep their worlds')
    await print(`Reset to ${toHealthText(health)}\n`)
  },
})

/** The control API would create it: then a slip in the key looks like a success. */
async function checkSandbox(flags: RemoteFlags, mock: ControlClient): Promise<void> {
  if (await hasSandbox(flags, mock)) return
  const { sandbox = '' } = flags
  const near = findNear(sandbox, await mock.sandboxes())
  const hint = near.length > 0 ? `did you mean ${list(near, 'or')}?` : 'the first request with that key creates it, and so does seed'
  throw new UsageError(`There is no sandbox ${JSON.stringify(sandbox)}; ${hint}`)
}
