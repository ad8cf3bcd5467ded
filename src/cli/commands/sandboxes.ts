// `sandboxes`: lists the keys that have a sandbox in a running mock, and removes one.
import { escapeUnsafe } from '../../client/escape.ts'
import { UsageError } from '../../contract/errors.ts'
import { defineCommand } from '../command.ts'
import { flagTables } from '../flags.ts'
import { print, toDocumentText } from '../print-document.ts'
import { notify } from '../say.ts'
import { missingSandbox, withMock } from '../with-mock.ts'

const { sandbox: _, ...flagsForAll } = flagTables.setting

export const sandboxesCommand = defineCommand({
  summary: 'list the sandboxes of a running mock, the one idle longest first, or remove one',
  arguments: [
    ['[action]', 'remove'],
    ['[key]', 'the API key whose sandbox is removed'],
  ],
  flags: flagsForAll,
  examples: ['sandboxes', 'sandboxes remove worker-1'],
  async run({ json, ...flags }, [action, key]) {
    if (action !== undefined && action !== 'remove') throw new UsageError(`sandboxes: expected remove, got ${JSON.stringify(action)}`)
    if (action === 'remove' && key === undefined) throw new UsageError('sandboxes remove: a key is required')
    const keys = await withMock(flags, async (mock) => {
      if ((await mock.summary()).sandboxes === undefined) throw new UsageError('Sandboxes are off; start the mock with --sandbox')
      if (key !== undefined && !(await mock.removeSandbox(key))) throw missingSandbox(key, await mock.sandboxes())
      return mock.sandboxes()
    })
    if (json) return print(await toDocumentText(keys, 'json'))
    if (keys.length === 0) notify('No sandboxes: the first request with a valid key creates one')
    return print(keys.map((one) => `${escapeUnsafe(one)}\n`).join(''))
  },
})
