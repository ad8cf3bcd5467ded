// One exchange of the journal in full: what was asked, what was answered, and what the answer rests on.
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { AnswerChip } from '../parts/chip.tsx'
import { CopyRequest } from '../parts/copy-request.tsx'
import { Drawer } from '../parts/drawer.tsx'
import { isOff, toDuration } from '../parts/instants.ts'
import { Message } from '../parts/message.tsx'
import { toBreakable } from '../parts/to-breakable.tsx'
import type { Actions } from '../state/actions.ts'
import { type ConsoleState, isTemplate, toWorldOf } from '../state/console-state.ts'
import { type ShownEntry, toEntryName, toKeyText } from '../state/filter-traffic.ts'
import { CUT_NOTE, isCut, toEntryRequest, toTestedRequest } from '../state/to-entry-request.ts'
import { unreadWorld } from '../state/world-view.ts'
import { ExchangeActions } from './exchange-actions.tsx'
import { ExchangeReasons } from './exchange-reasons.tsx'
import { SendForm } from './send-form.tsx'
import type { ViewProps } from './view.ts'

interface ExchangeDrawerProps {
  /** Undefined if the journal does not have it any more. */
  readonly entry: ShownEntry | undefined
  /** Those that it stands among, the latest first. */
  readonly entries: readonly ShownEntry[]
  readonly state: ConsoleState
  readonly actions: Actions
  /** To something in the world of the request. */
  link: ViewProps['link']
  onOpen(entry: ShownEntry | undefined): void
}

const NO_RESPONSE: Readonly<Record<ShownEntry['outcome'], string>> = {
  sent: '',
  dropped: 'The connection was dropped without a response.',
  aborted: 'The client left before the response was sent.',
  waiting: 'The response is held back; it has not been sent yet.',
}

export function ExchangeDrawer({ entry, entries, state, actions, link, onOpen }: ExchangeDrawerProps) {
  const name = entry && toEntryName(entry)
  const index = entries.findIndex((one) => toEntryName(one) === name)
  const newer = entries[index - 1]
  const older = index < 0 ? undefined : entries[index + 1]
  const [edited, setEdited] = useState<string>()
  const sandbox = isTemplate(state) ? (entry?.sandbox ?? null) : null
  useEffect(() => actions.lookBeside(sandbox), [sandbox])
  useEffect(() => () => actions.lookBeside(null), [])
  useArrowKeys(newer, older, onOpen)
  if (!entry) {
    return (
      <Drawer title="Request" onClose={() => onOpen(undefined)}>
        <p>This request is not in the journal; it may have been cleared, or displaced by newer ones.</p>
      </Drawer>
    )
  }
  const own = toWorldOf(state, entry.sandbox)
  const world = own ?? unreadWorld
  const note = isCut(entry.request.body) ? CUT_NOTE : undefined
  return (
    <Drawer
      title={
        <>
          {entry.method} <AnswerChip status={entry.status} outcome={entry.outcome} />
        </>
      }
      onClose={() => onOpen(undefined)}
      foot={
        <>
          <CopyRequest
            request={() => toEntryRequest(entry, location.origin, world)}
            tested={() => toTestedRequest(entry, location.origin, state, world)}
            note={note}
            onSay={actions.say}
          />
          <span class="apart" />
          <button type="button" class="button" disabled={!newer} onClick={() => onOpen(newer)}>
            Newer
          </button>
          <button type="button" class="button" disabled={!older} onClick={() => onOpen(older)}>
            Older
          </button>
        </>
      }
    >
      <p class="target mono">
        <bdi>{toBreakable(entry.target)}</bdi>
      </p>
      <dl class="facts">
        <Fact name="Time" value={entry.at} />
        <Fact name="Operation" value={entry.operation ?? 'none'} />
        <Fact name="Duration" value={entry.outcome === 'waiting' ? 'not over yet' : toDuration(entry.durationMs)} />
        <Fact name="Key" value={toKeyText(entry) ?? 'none'} />
        {isOff(Date.parse(entry.at), Date.parse(entry.realAt)) && <Fact name="Real time" value={entry.realAt} />}
      </dl>
      <ExchangeReasons {...{ entry, link }} world={own} />
      <ExchangeActions
        {...{ entry, state, world, actions }}
        onEdit={() => setEdited(name)}
        onScenario={() => {
          location.hash = link('scenarios', 'edit')
        }}
      />
      {edited === name && <SendForm key={name} {...{ entry, state, world }} onClose={() => setEdited(undefined)} />}
      <Message title="Request" headers={Object.entries(entry.request.headers)} body={entry.request.body} note={note} />
      {entry.status === 0 || entry.outcome === 'waiting' ? (
        <p class="muted">{NO_RESPONSE[entry.outcome]}</p>
      ) : (
        <Message title="Response" headers={Object.entries(entry.response.headers)} body={entry.response.body} />
      )}
    </Drawer>
  )
}

/** Up and down move through the list, unless what has the focus uses these keys itself. */
function useArrowKeys(newer: ShownEntry | undefined, older: ShownEntry | undefined, onOpen: (entry: ShownEntry) => void): void {
  // Before the next paint: a key pressed right after must find the new neighbours.
  useLayoutEffect(() => {
    const step = (event: KeyboardEvent) => {
      const next = event.key === 'ArrowUp' ? newer : event.key === 'ArrowDown' ? older : undefined
      if (!next || (event.target instanceof Element && event.target.matches('input, select, textarea, .code, .drawer-body'))) return
      event.preventDefault()
      onOpen(next)
    }
    addEventListener('keydown', step)
    return () => removeEventListener('keydown', step)
  }, [newer, older])
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
