// Short texts with a colour, and what is shown until something is there.
import { useEffect, useState } from 'preact/hooks'
import { toneOf } from '../../control/rows/reasons.ts'
import type { RequestRow } from '../../world/row.ts'
import { isAway } from '../model/connection.ts'
import { OUTCOMES } from '../model/explain.ts'
import { showHidden } from '../model/text.ts'

/**
 * The colour repeats what the text says. The space separates it from the next word for a screen
 * reader.
 */
export function Chip({ tone = '', text }: { tone?: string | undefined; text: string }) {
  return (
    <>
      <span class={`chip ${tone}`}>{text}</span>{' '}
    </>
  )
}

export const UNSAVED = <Chip tone="warn" text="unsaved" />

export function Status({ row }: { row: Pick<RequestRow, 'status' | 'outcome'> }) {
  const tone = `status ${toneOf(row)}`
  if (row.outcome === 'sent') return <span class={tone}>{row.status}</span>
  const { sign, text } = OUTCOMES[row.outcome]
  return (
    <span class={tone} title={text}>
      {sign}
    </span>
  )
}

export const AWAY = 'The mock is not responding.'

export function Loading({ text }: { text?: string | undefined }) {
  const waiting = isAway() ? AWAY : 'Loading…'
  return <p class="empty">{showHidden(text ?? waiting)}</p>
}

/** Renders the component every second. */
export function useSeconds(): void {
  const [, setTurn] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTurn((turn) => turn + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
}

/** The seconds since an instant. */
export function Waited({ since }: { since: string }) {
  useSeconds()
  const seconds = Math.floor((Date.now() - Date.parse(since)) / 1_000)
  return <>{Math.max(0, seconds)} s…</>
}
