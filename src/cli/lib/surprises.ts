// Collects the surprises that a command met, from the mock next to it and from kits inside it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../contract/errors.ts'
import { joinWords } from '../../contract/problem.ts'
import type { Control } from '../../control/control.ts'
import { surprisesOf } from '../../control/events.ts'
import { readSurprise } from '../../scenario/settings/texts.ts'
import { draw, isBeginning, STATE_KINDS, SURPRISE_REPORT } from '../../world/surprise.ts'
import type { MockFlags } from './flags.ts'

/** Begins to collect them; `env` is for the command. */
export function collectSurprises(control: Control, flags: MockFlags) {
  const surprise = readSurprise(flags)
  const drawn = STATE_KINDS.filter((kind) => surprise && draw(surprise, kind))
  const labels = new Set<string>(drawn)
  const unsubscribe = control.subscribe((event) => {
    for (const label of surprisesOf(event)) labels.add(label)
  })
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-surprises-'))
  const report = join(folder, 'report')
  writeFileSync(report, '')
  return {
    env: { [SURPRISE_REPORT]: report },
    read(): string[] {
      const reported = readFileSync(report, 'utf8').split('\n').filter(Boolean)
      return [...labels, ...reported.filter((label) => !labels.has(label))]
    },
    end(): void {
      unsubscribe()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Refuses a surprise in `--only` that this seed never draws. A prefix may match others. */
export function checkOnly(flags: MockFlags): void {
  const surprise = readSurprise(flags)
  if (!surprise) return
  const { only = [], seed } = surprise
  const never = only.filter((label) => label.includes('#') && !draw(surprise, label))
  if (never.length === 0) return
  const kinds = flags.kinds ? `, with --kinds ${flags.kinds.join()},` : ''
  throw new UsageError(`--only: seed ${seed}${kinds} has no surprise ${joinWords(never, 'or')}`)
}

/** Says which parts of `--only` matched no surprise. */
export function explainUnmatched(flags: MockFlags, labels: readonly string[]): string | undefined {
  const { only = [] } = flags
  const unmatched = only.filter((part) => !labels.some((label) => isBeginning(part, label)))
  if (unmatched.length === 0) return undefined
  return `--only: no response had the surprise ${joinWords(unmatched, 'or')}`
}
