// The messages of a request, its header fields, and what it saw, each in a tab.
import { useEffect, useRef, useState } from 'preact/hooks'
import { isCut, type LoggedMessage, type RequestRow } from '../../world/row.ts'
import { markLines } from '../model/explain.ts'
import { formatFields, formatSize } from '../model/text.ts'
import { Code } from '../ui/code.tsx'
import { OneOf } from '../ui/tools.tsx'
import { renderSeenState } from './comparison.tsx'

/** `isCompared`: the response is shown above, beside an alternative. */
export function Messages({ row, isCompared }: { row: RequestRow; isCompared: boolean }) {
  const { status, outcome } = row
  const [chosen, choose] = useState('')
  const shown = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (chosen !== '') shown.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const marks = markLines(row)
  const hasResponse = !isCompared && status !== 0 && outcome !== 'waiting'
  const request = { name: 'Request', message: row.request }
  const response = { name: 'Response', message: row.response }
  const messages = hasResponse ? [response, request] : [request]
  const tabs = [
    ...messages.map((one) => [one.name, nameTab(one.name, isCompared)] as const),
    ['Headers', 'Headers'],
    ['What it saw', 'What it saw'],
  ] as const
  // You look for the offending line of the request, if there is one, and else for the response.
  const usual = hasResponse && marks.length === 0 ? 'Response' : 'Request'
  const tab = tabs.some(([id]) => id === chosen) ? chosen : usual
  const message = messages.find((one) => one.name === tab)?.message
  return (
    <div ref={shown} class="stack">
      <div class="card-head">
        <OneOf label="Message" value={tab} options={tabs} onChange={choose} />
        {message && <span class="muted">{describeLength(message.body)}</span>}
      </div>
      {tab === 'What it saw' && renderSeenState(row)}
      {tab === 'Headers' && messages.map(renderHeaders)}
      {message && message.body !== '' && (
        <Code
          text={message.body}
          label={`${tab} body`}
          marks={tab === 'Request' ? marks : []}
          canCopy
        />
      )}
    </div>
  )
}

function renderHeaders({ name, message }: { name: string; message: LoggedMessage }) {
  const text = formatFields(message.headers)
  return <Code key={name} text={text} label={`${name} headers`} title={name} canCopy />
}

function nameTab(name: string, isCompared: boolean): string {
  return isCompared ? `${name} as it was` : name
}

function describeLength(body: string): string {
  if (body === '') return 'no body'
  return isCut(body) ? 'cut' : formatSize(body)
}
