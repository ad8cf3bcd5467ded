// Starts the page: the head with the base URL, the bar, the view that the address names, and the message at the bottom.
import { type ComponentType, render } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { attempt, dismiss, notice, notify, undo } from './actions.ts'
import { baseUrl, connection, control, isInPage, isLocked, mockUrl, unlock } from './connection.ts'
import { findRedo, toneOf } from './entry.ts'
import { scope, start, use, useRequests } from './mock.ts'
import { adjust, currentSandbox, followAddress, link, route, type ViewId } from './route.ts'
import { count, shorten, showHidden } from './text.ts'
import { Bar, useSandboxes } from './ui/bar.tsx'
import { Act, Button, Copy, Field, Form } from './ui/controls.tsx'
import { keepFocus, Page } from './ui/pane.tsx'
import { Animals } from './views/animals.tsx'
import { Assumptions } from './views/assumptions.tsx'
import { Faults } from './views/faults.tsx'
import { acceptFiles, Scenarios } from './views/scenarios.tsx'
import { Timeline } from './views/timeline.tsx'

/** `more` is left out where there is little room. */
type View = { readonly label: string; readonly more?: string; readonly component: ComponentType; amount?(): string }

const VIEWS: Readonly<Record<ViewId, View>> = {
  timeline: { label: 'Timeline', component: Timeline, amount: () => count(useRequests().length) },
  animals: { label: 'Animals', component: Animals, amount: () => (scope() === '*' ? '' : count(use('summary')?.pets ?? 0)) },
  scenarios: { label: 'Scenarios', component: Scenarios },
  faults: { label: 'Faults', more: ' and clock', component: Faults },
  assumptions: { label: 'Assumptions', component: Assumptions, amount: countUsed },
}
/** What the head says, and in which tone. */
const CONNECTIONS = {
  connecting: ['Connecting', ''],
  live: ['Live', 'good'],
  waiting: ['Disconnected', 'bad'],
  locked: ['Locked', 'warn'],
  refused: ['Locked', 'warn'],
} as const
const AWAY = { text: 'The mock is not responding. You see what it had last.', kind: undefined, row: undefined }
const iconLink = document.querySelector<HTMLLinkElement>('link[rel=icon]')
const icon = iconLink?.href ?? ''
/** The icon after a failure: its green is red. */
const redIcon = icon.replace('%230c6b5f', '%23b3241b')

function App() {
  const { view } = route.value
  const { label, more = '', component } = VIEWS[view]
  const [state, tone] = CONNECTIONS[connection.value]
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  // Only loading reaches the sandboxes to come.
  const View = scope() === '*' && view !== 'timeline' && view !== 'scenarios' ? ChooseSandbox : component
  useEffect(() => {
    document.title = `${label}${more} · ${new URL(mockUrl).host.replace(/^.*(?=:)/, '')} · Animal Store mock`
    // The focus goes along to another view, not to the first one.
    if (!isFirst.current) main.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    isFirst.current = false
  }, [view])
  return (
    <>
      <header class="head">
        <img class="logo" width={24} src={icon} alt="" />
        <strong class="brand">Animal Store mock</strong>
        <nav aria-label="Views">
          {!isLocked() &&
            Object.entries(VIEWS).map(([id, { label: text, more: rest, amount }]) => (
              <a key={id} href={link(id as ViewId)} aria-current={id === view ? 'page' : false}>
                <span>
                  {text}
                  {rest && <span class="long">{rest}</span>} <small>{amount?.()}</small>
                </span>
              </a>
            ))}
        </nav>
        {!isInPage && (
          <span class="url">
            <code>{baseUrl}</code>
            <Copy aria-label="Copy URL" title={baseUrl} text={() => baseUrl}>
              Copy<span class="short-of-room"> URL</span>
            </Copy>
          </span>
        )}
        <span class={`live ${tone}`}>{state}</span>
        {!isLocked() && <Icon />}
      </header>
      {!isLocked() && <Bar />}
      <main ref={main}>{isLocked() ? <Locked /> : <View key={currentSandbox() ?? ''} />}</main>
      <Toast />
    </>
  )
}

/** The icon of the tab is red while the last request has failed, or there is no mock. */
function Icon() {
  const [last] = useRequests()
  const isRed = connection.value === 'waiting' || (last !== undefined && toneOf(last) === 'bad')
  useEffect(() => iconLink?.setAttribute('href', isRed ? redIcon : icon), [isRed])
  return null
}

function ChooseSandbox() {
  const sandboxes = useSandboxes()
  return (
    <Page title="Choose a sandbox">
      <p class="muted">Every API key has its own animals, faults, clock and assumptions, from its first request on.</p>
      <ul data-focus-list>
        {sandboxes.map(({ key, requests }) => (
          <li key={key}>
            <a class="row choice" href={link(route.value.view, '', {}, key)}>
              <span class="key">{shorten(key, 40)}</span> <span class="muted">{requests}</span>
            </a>
          </li>
        ))}
      </ul>
      {sandboxes.length === 0 && <p class="empty">There is none yet. A sandbox begins with the first request of its API key.</p>}
    </Page>
  )
}

/** It covers nothing, and goes by itself unless it is a problem. Its buttons leave the focus where it is. */
function Toast() {
  const { kind = '', text = '', row } = connection.value === 'waiting' ? AWAY : (notice.value ?? {})
  const [verb, keys] = row?.isUndo ? ['Redo', 'Ctrl Shift Z'] : ['Undo', 'Ctrl Z']
  return (
    <div class="toast" role="status" onMouseDown={(event) => event.preventDefault()}>
      {text && <bdi class={kind}>{showHidden(text)}</bdi>}
      {row && <Act onClick={() => undo(row.id, row.sandbox)}>{verb}</Act>}
      {row && <kbd>{keys}</kbd>}
      {kind && (
        <Button class="button quiet" aria-label="Dismiss" onClick={dismiss}>
          ✕
        </Button>
      )}
    </div>
  )
}

function countUsed(): string {
  const used = scope() === '*' ? [] : (use('assumptions') ?? []).filter(({ uses }) => uses > 0)
  return used.length === 0 ? '' : `${count(used.length)} used`
}

/** `/` focuses the search, Escape closes the detail, Ctrl+Z undoes the last change and Ctrl+Shift+Z redoes it, unless you are typing. */
function listenForKeys(): void {
  addEventListener('keydown', (event) => {
    const { key, target, altKey, shiftKey, defaultPrevented } = event
    const isTyping = target instanceof Element && target.matches('textarea, select, input:not([type=radio])')
    const isPlain = !event.ctrlKey && !event.metaKey
    const search = document.querySelector<HTMLInputElement>('main input[type=search]')
    if (altKey || defaultPrevented) return
    if (key === 'Escape' && document.querySelector(':popover-open')) return
    if (key === 'Escape' && route.value.part !== '') adjust({ part: '' })
    else if (isTyping) return
    else if (key === '/' && isPlain && search) search.focus()
    else if (key.toLowerCase() === 'z' && !isPlain) void (shiftKey ? redo() : undo())
    else return
    event.preventDefault()
  })
}

async function redo(): Promise<void> {
  // Asked for, since what has just been undone may not be in the list yet.
  const row = findRedo((await attempt(() => control(scope()).timeline()))?.toReversed() ?? [])
  if (row) await undo(row.id, row.sandbox)
  else notify('There is nothing to redo')
}

function Locked() {
  useEffect(() => document.querySelector<HTMLElement>('.unlock input')?.focus(), [])
  return (
    <Form class="card unlock" label="Unlock" verb="Unlock" onSend={({ token = '' }) => unlock(token.trim())}>
      <h1 tabIndex={-1}>Enter the control token</h1>
      <p>Use the one that you started this mock with. If you gave none, the mock printed one when it started.</p>
      <Field label="Token" name="token" class="mono" type="password" required />
      <p class="problem" role="alert">
        {connection.value === 'refused' && 'This token is not valid.'}
      </p>
    </Form>
  )
}

followAddress()
start()
keepFocus()
listenForKeys()
acceptFiles()
render(<App />, document.body)
