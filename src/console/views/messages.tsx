// The messages of a request, its header fields, and what it saw, each in a tab.
import type { ComponentChildren, TargetedInputEvent } from 'preact'
import { readQuery, splitQuery } from '../../contract/address.ts'
import { isCut, type LoggedMessage, type RequestRow } from '../../world/row.ts'
import { countHits } from '../model/code-lines.ts'
import { markLines } from '../model/explain.ts'
import { hotkeyOf } from '../model/hotkeys.ts'
import { route } from '../model/route.ts'
import { findWords } from '../model/row-filter.ts'
import { signal } from '../model/signal.ts'
import { count, formatFields, formatSize } from '../model/text.ts'
import { Code } from '../ui/code.tsx'
import { goToHit } from '../ui/hits.ts'
import { Pairs } from '../ui/pane.tsx'
import { OneOf } from '../ui/tools.tsx'
import { SeenState } from './comparison.tsx'

const TABS = ['Response', 'Request', 'Headers', 'What it saw'] as const
type Tab = (typeof TABS)[number]
const OPTIONS = TABS.map((tab) => [tab, tab] as const)

/** The tab that you chose last; it stays for other rows. */
const chosen = signal<Tab | undefined>(undefined)
/** What you look for in the messages. */
const wanted = signal('')

/** The tabs, and a search in what they show. */
export function Tabs({ row, isCompared }: { row: RequestRow; isCompared: boolean }) {
  const tab = tabOf(row, isCompared)
  const choose = (id: string) => {
    chosen.value = id as Tab
  }
  return (
    <div class="tabs">
      <OneOf label="Message" value={tab} options={OPTIONS} onChange={choose} />
      <Find />
      {wanted.value !== '' && <small>{count(countFound(row), 'hit')}</small>}
    </div>
  )
}

function Find() {
  const lookFor = (event: TargetedInputEvent<HTMLInputElement>) => {
    wanted.value = event.currentTarget.value
  }
  const goOn = (event: KeyboardEvent) => {
    const step = event.shiftKey ? -1 : 1
    if (event.key === 'Enter') goToHit(step)
  }
  return (
    <input
      type="search"
      class="find"
      {...hotkeyOf('f')}
      aria-label="Find in the messages"
      placeholder="Find  ( F )"
      value={wanted.value}
      onInput={lookFor}
      onKeyDown={goOn}
    />
  )
}

/** How often the messages have what you look for. */
function countFound(row: RequestRow): number {
  const fields = [row.response.headers, row.request.headers].map(formatFields)
  const texts = [row.response.body, row.request.body, ...fields]
  return texts.reduce((sum, text) => sum + countHits(text, [wanted.value]), 0)
}

/** Unless you choose, the one that you most likely look for. */
function tabOf(row: RequestRow, isCompared: boolean): Tab {
  if (isCompared && !chosen.value) return 'Response'
  if (chosen.value) return chosen.value
  if (row.status === 0) return 'Request'
  if (markLines(row).length > 0) return 'Request'
  const words = listWords()
  const inRequest = countHits(row.request.body, words)
  const inResponse = countHits(row.response.body, words)
  return inRequest > 0 && inResponse === 0 ? 'Request' : 'Response'
}

/** What you look for here, and the words of the search in the list. */
function listWords(): readonly string[] {
  return [wanted.value, ...findWords(route.value.query)]
}

/** `alternative` is shown instead of the response. */
type MessageProps = { row: RequestRow; alternative: ComponentChildren }

export function Message({ row, alternative }: MessageProps) {
  const isCompared = Boolean(alternative)
  switch (tabOf(row, isCompared)) {
    case 'Response':
      if (isCompared) return <>{alternative}</>
      return <Body message={row.response} label="Response body" />
    case 'Request':
      return (
        <>
          <Query target={row.target} />
          <Body message={row.request} label="Request body" marks={markLines(row)} />
        </>
      )
    case 'Headers':
      return (
        <>
          <Fields message={row.response} name="Response" />
          <Fields message={row.request} name="Request" />
        </>
      )
    case 'What it saw':
      return <SeenState row={row} />
  }
}

function Query({ target }: { target: string }) {
  const { query } = splitQuery(target)
  const parameters = readQuery(query)
  if (parameters.length === 0) return null
  return (
    <section class="card query" aria-label="Query">
      <Pairs pairs={parameters} />
    </section>
  )
}

type BodyProps = {
  message: LoggedMessage
  label: string
  marks?: ReturnType<typeof markLines>
}

function Body({ message, label, marks = [] }: BodyProps) {
  const { body } = message
  if (body === '') return <p class="muted">No body.</p>
  return (
    <>
      <Code text={body} label={label} marks={marks} words={listWords()} canCopy />
      <p class="muted">{isCut(body) ? 'Cut: the log keeps the beginning.' : formatSize(body)}</p>
    </>
  )
}

function Fields({ message, name }: { message: LoggedMessage; name: string }) {
  const text = formatFields(message.headers)
  return <Code text={text} label={`${name} headers`} title={name} words={listWords()} canCopy />
}
