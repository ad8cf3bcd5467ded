// Small labels. The colour repeats what the text says, never more.
import type { ComponentChildren } from 'preact'
import type { PetPage } from '../../control/control.ts'
import type { JournalEntry } from '../../world/journal-entry.ts'

type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent'

export function Chip({ tone = 'plain', sign, children }: { tone?: Tone; sign?: string | undefined; children: ComponentChildren }) {
  return (
    <span class={`chip ${tone}`}>
      {sign !== undefined && <span aria-hidden="true">{sign} </span>}
      {children}
    </span>
  )
}

const STATUSES: Readonly<Record<string, { tone: Tone; sign: string }>> = {
  available: { tone: 'good', sign: '●' },
  pending: { tone: 'warn', sign: '◐' },
  sold: { tone: 'plain', sign: '○' },
}

/** The status of an animal. */
export function StatusChip({ status }: { status: string | undefined }) {
  if (status === undefined) return <span class="muted">no status</span>
  const { tone, sign } = STATUSES[status] ?? { tone: 'plain' as const, sign: undefined }
  return (
    <Chip tone={tone} sign={sign}>
      {status}
    </Chip>
  )
}

/** The status of a response, or why there is none. */
export function AnswerChip({ status, outcome = 'dropped' }: { status: number; outcome?: JournalEntry['outcome'] }) {
  if (outcome === 'waiting') return <Chip>in flight</Chip>
  const tone = status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
  return <Chip tone={tone}>{status !== 0 ? status : outcome === 'aborted' ? 'client left' : 'dropped'}</Chip>
}

/** What happened to an animal since the scenario was loaded. */
export function MarkChip({ mark }: { mark: PetPage['marks'][string] }) {
  return <Chip tone="accent">{mark === 'added' ? 'new' : mark}</Chip>
}
