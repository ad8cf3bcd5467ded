// Starts the page: the head with the base URL, the bar, the view that the address names, and the message at the bottom.
import { type ComponentType, render } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { dismiss, notice, undo } from './actions.ts'
import { baseUrl, connection, drawer, isInPage, isLocked, mockUrl, unlock } from './connection.ts'
import { toneOf } from './entry.ts'
import { listenForKeys } from './keys.ts'
import { renderWatching, scope, start, use, useRequests } from './mock.ts'
import { currentSandbox, followAddress, link, route, type ViewId } from './route.ts'
import { renderWith } from './signal.ts'
import { count, showHidden } from './text.ts'
import { Bar } from './ui/bar.tsx'
import { Act, Copy, Field, Form, Sign } from './ui/controls.tsx'
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
const AWAY = { text: 'The mock is not responding. You see what it had last.', kind: undefined, mine: undefined }
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
    // The focus goes along to another view, not to the first one; a message stays behind.
    dismiss()
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
              Copy
            </Copy>
          </span>
        )}
        <span class={`live ${tone}`}>{state}</span>
        {!isLocked() && <Icon />}
        {drawer && (
          <span class="drawer-buttons">
            <Sign label="Move to the other side" sign="⇲" onClick={drawer.move} />
            <Sign label="Open in a window" sign="↗" onClick={drawer.detach} />
            <Sign label="Close the console" sign="–" onClick={drawer.close} />
          </span>
        )}
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
  return (
    <Page title="Choose a sandbox">
      <p class="muted">Every API key has its own animals, faults, clock and assumptions. Choose one in the bar.</p>
    </Page>
  )
}

/** It goes by itself unless it is a problem. Its buttons leave the focus where it is. */
function Toast() {
  const { kind = '', text = '', mine } = connection.value === 'waiting' ? AWAY : (notice.value ?? {})
  return (
    <div class="toast" role="status" onMouseDown={(event) => event.preventDefault()}>
      {text && <bdi class={kind}>{showHidden(text)}</bdi>}
      {mine && <Act onClick={() => undo(mine, mine.row.sandbox)}>{mine.verb}</Act>}
      {mine && <kbd>{mine.verb === 'Redo' ? 'Shift Z' : 'Z'}</kbd>}
      {kind && <Sign label="Dismiss" onClick={dismiss} />}
    </div>
  )
}

function countUsed(): string {
  const used = scope() === '*' ? [] : (use('assumptions') ?? []).filter(({ uses }) => uses > 0)
  return used.length === 0 ? '' : `${count(used.length)} used`
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
renderWith(() => renderWatching(() => render(<App />, document.body)))
