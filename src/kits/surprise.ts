// Surprises that the environment asks for. In a page there is no environment.
import type { Control } from '../control/control.ts'
import type { MockOptions } from '../mock/mock-options.ts'
import { parseInteger, splitList } from '../settings/flag.ts'
import type { Surprise } from '../surprise/setting.ts'

/** The variables of the command line's flags. */
export function readSurprise(): Pick<MockOptions, 'surprise'> {
  const { ANIMAL_STORE_SURPRISE: seed, ANIMAL_STORE_KINDS: kinds, ANIMAL_STORE_ONLY: only } = globalThis.process?.env ?? {}
  if (!seed) return {}
  const lists = { ...(kinds && { kinds: splitList(kinds) as NonNullable<Surprise['kinds']> }), ...(only && { only: splitList(only) }) }
  return { surprise: { seed: parseInteger(seed), ...lists } }
}

/** Adds every surprise to the file in which the command `surprise find` looks for them. */
export function reportSurprises(control: Control): void {
  const { ANIMAL_STORE_SURPRISE_REPORT: file } = globalThis.process?.env ?? {}
  const fs = globalThis.process?.getBuiltinModule?.('node:fs')
  if (!file || !fs) return
  control.subscribe((event) => {
    if (event.type === 'request') for (const surprise of event.entry.surprises) fs.appendFileSync(file, `${surprise}\n`)
  })
}
