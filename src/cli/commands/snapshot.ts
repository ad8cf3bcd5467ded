// `snapshot`: the whole state of a running mock, as a scenario that loads back into the same state.
import { basename, extname } from 'node:path'
import { escapeUnsafe } from '../../client/escape.ts'
import { UsageError } from '../../contract/errors.ts'
import { parseScenario } from '../../scenario/check.ts'
import type { Scenario } from '../../world/situation.ts'
import { defineCommand } from '../command.ts'
import { snapshotFlags } from '../flags.ts'
import { formatOf, print, toDocumentText } from '../print-document.ts'
import { replaceFile } from '../replace-file.ts'
import { toHealthText } from '../say.ts'
import { withState } from '../with-mock.ts'

/** A snapshot holds the valid API keys. */
const PRIVATE = 0o600

export const snapshotCommand = defineCommand({
  summary: 'print the state of a running mock as a scenario',
  flags: snapshotFlags,
  examples: ['snapshot', 'snapshot -o scenario.yaml'],
  async run({ output, ...flags }) {
    const format = output === undefined ? 'json' : formatOf(output)
    const state = await withState(flags, (mock) => mock.state())
    check(state, flags.url)
    if (output === undefined) return print(await toDocumentText(state, format))
    // The state has changed since its scenario was loaded, so it has the name of its file, as every scenario does.
    const name = basename(output, extname(output))
    await replaceFile(output, await toDocumentText({ ...state, name }, format), PRIVATE)
    return print(`Wrote ${escapeUnsafe(output)}: ${toHealthText({ scenario: name, pets: state.pets?.length ?? 0 })}\n`)
  },
})

/** Refuses what could not be loaded again: another server may send JSON too. */
function check(state: Scenario, url: string): void {
  try {
    parseScenario(state)
  } catch {
    throw new UsageError(`The server at ${url} is not this mock: its state is not a valid scenario`)
  }
}
