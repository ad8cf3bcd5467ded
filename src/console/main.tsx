// Starts the page: the head, the bar of every view, the view that the address names, and the
// message at the bottom.
import { type ComponentChildren, type ComponentType, render } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isFailure } from '../control/text/reasons.ts'
import { describeDelay, describeFault, printSurprise } from '../world/describe-fault.ts'
import { isUsedUp } from '../world/fault-outcome.ts'
import { listenForKeys, showKeys } from './keys.tsx'
import { change, undo } from './model/actions.ts'
import {
  type Ask,
  baseUrl,
  connection,
  drawer,
  isLocked,
  mockUrl,
  unlock,
} from './model/connection.ts'
import {
  hasSandboxes,
  mockNow,
  read,
  readRequests,
  renderWatching,
  scope,
  start,
} from './model/mock.ts'
import { dismiss, type Notice, notice, notify } from './model/notice.ts'
import { currentSandbox, followAddress, link, route, type ViewId } from './model/route.ts'
import { verbOf } from './model/rows.ts'
import { renderWith } from './model/signal.ts'
import { capitalize, count, dateTime, shorten, showHidden } from './model/text.ts'
import { Act, AWAY, Button, Chip, copy, Dialog, Field, Form, Menu, Sign } from './ui/controls.tsx'
import { isNarrow, keepFocus, Page } from './ui/pane.tsx'
import { Animals } from './views/animals.tsx'
import { Assumptions } from './views/assumptions.tsx'
import { BreakMenu, Faults } from './views/faults.tsx'
import { acceptFiles, Scenarios } from './views/scenarios.tsx'
import { Timeline } from './views/timeline.tsx'

type View = Readonly<{ more?: string; component: ComponentType; amount?(): ComponentChildren }>

const activeFaults = () =>
  (scope() === '*' ? [] : (read('faults') ?? [])).filter((fault) => !isUsedUp(fault))
const countFaults = () =>
  activeFaults().length > 0 && <Chip tone="warn" text={count(activeFaults().length)} />

/** When the newest request shown in the list arrived: a detail may cover the list. */
let seen = ''
function countRequests() {
  const requests = readRequests()
  const { view, part } = route.value
  if (view === 'timeline' && !(part && isNarrow())) seen = requests[0]?.realAt ?? ''
  const failed = requests.filter((row) => row.realAt > seen && isFailure(row)).length
  return failed > 0 ? (
    <Chip tone="bad" text={`● ${count(failed)}`} />
  ) : (
    <small>{count(requests.length)}</small>
  )
}

const VIEWS: Readonly<Record<ViewId, View>> = {
  timeline: { component: Timeline, amount: countRequests },
  animals: {
    component: Animals,
    amount: () => scope() !== '*' && <small>{count(read('summary')?.pets ?? 0)}</small>,
  },
  scenarios: { component: Scenarios },
  faults: { more: ' and clock', component: Faults, amount: countFaults },
  assumptions: { component: Assumptions },
}
const TONES = { connecting: '', live: 'good', disconnected: 'bad', locked: 'warn', refused: 'warn' }
const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href

function App() {
  const { view } = route.value
  const { more = '', component } = VIEWS[view]
  const state = isLocked() ? 'locked' : connection.value
  const side = drawer?.target()
  const dock = <i class="dock" style={`border-${side}-width: 6px`} />
  const isFirst = useRef(true)
  // Of the other views only Scenarios works for all: what it loads is the start of future
  // sandboxes.
  const View =
    scope() === '*' && view !== 'timeline' && view !== 'scenarios' ? ChooseSandbox : component
  useEffect(() => {
    document.title = `${capitalize(view)}${more} · ${new URL(mockUrl).host} · Animal Store mock`
    // The focus goes along to another view, not to the first one; a message stays behind.
    if (!isFirst.current)
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    isFirst.current = false
    return dismiss
  }, [view])
  return (
    <>
      <header class="head">
        <img class="logo" width={24} src={icon} alt="" />
        <strong class="brand long">Animal Store mock</strong>
        <nav aria-label="Views" children={!isLocked() && Object.entries(VIEWS).map(renderLink)} />
        {!drawer && (
          <span class="url">
            <code class="long">{baseUrl}</code>
            <Button text="Copy URL" title={baseUrl} onClick={() => copy(baseUrl)} />
          </span>
        )}
        {drawer && <Bar />}
        <span class={`live ${TONES[state]}`}>{capitalize(state)}</span>
        {(!drawer || innerWidth > 500) && <Sign label="Keys" sign="?" onClick={showKeys} />}
        {drawer && side && <Sign label={`Dock at the ${side}`} sign={dock} onClick={drawer.move} />}
        {drawer && <Sign label="Close the console (Escape)" onClick={drawer.close} />}
      </header>
      {!isLocked() && !drawer && <Bar />}
      <main>{isLocked() ? <Locked /> : <View key={currentSandbox() ?? ''} />}</main>
      <Toast />
      <Dialog />
    </>
  )
}

function renderLink([id, { more, amount }]: [string, View]) {
  return (
    <a key={id} href={link(id as ViewId)} aria-current={id === route.value.view ? 'page' : false}>
      {capitalize(id)}
      {more && <span class="long">{more}</span>} {amount?.()}
    </a>
  )
}

const ChooseSandbox = () => <Page title="Choose a sandbox" children={<Sandboxes />} />

function Bar() {
  const chosen = currentSandbox()
  const { recording } = read('summary', null) ?? {}
  const isOne = scope() !== '*'
  return (
    <section class="bar" aria-label="State">
      {hasSandboxes() && (
        <Menu
          class="pill"
          name="Sandbox"
          value={shorten(chosen ?? 'all')}
          children={<Sandboxes />}
        />
      )}
      <a class="pill scenario" href={link('scenarios')}>
        <span class="long">Scenario</span> <b>{shorten(showHidden(read('state')?.name ?? ''))}</b>
      </a>
      {recording && (
        <p
          class="bar-text"
          children={[<b key="">{showHidden(recording.file)}</b>, ', recording']}
        />
      )}
      {/* Before what it adds, so that it stays where you click. */}
      {isOne && <BreakMenu />}
      {isOne && <Conditions />}
    </section>
  )
}

function Sandboxes() {
  const keys = (read('sandboxes', null) ?? []).toSorted()
  const items = [...(currentSandbox() === null ? [] : [null]), ...keys].map((key) => (
    <a
      key={key}
      class="item"
      href={link(route.value.view, '', {}, key)}
      aria-current={key === currentSandbox()}
    >
      {key === null ? 'All sandboxes' : shorten(key)}
    </a>
  ))
  return (
    <div>{keys.length > 0 ? items : <p class="item muted">No API key has sent a request.</p>}</div>
  )
}

type Condition = [
  text: string | false | undefined,
  href: string,
  label?: string,
  remove?: Ask<unknown>,
]
function Conditions() {
  const [state, clock] = [read('state'), read('clock')]
  if (!state || !clock) return null
  const { latency: delay, surprise } = state
  const changed = (read('assumptions') ?? []).filter(
    ({ choice, default: usual }) => choice !== usual,
  )
  const time = `${dateTime(mockNow(clock))}${clock.frozen ? ', frozen' : ''}`
  const here = link('faults')
  const conditions: Condition[] = [
    ...activeFaults().map((fault): Condition => {
      return [
        describeFault(fault),
        here,
        `Remove fault ${fault.id}`,
        (mock) => mock.faults.remove(fault.id),
      ]
    }),
    [
      delay !== undefined && `+${describeDelay(delay)}`,
      here,
      'Remove the latency',
      (mock) => mock.latency.set(null),
    ],
    [
      state.now !== undefined && time,
      here,
      'Set the clock to real time',
      (mock) => mock.clock.set(null),
    ],
    ...changed.map(({ id, choice, default: usual }): Condition => {
      return [
        `${id}=${choice}`,
        link('assumptions', id),
        `Reset ${id}`,
        (mock) => mock.assume({ [id]: usual }),
      ]
    }),
    [surprise && `surprises of ${printSurprise(surprise)}`, here],
  ]
  const shown = conditions.filter(([text]) => text)
  // Also in `styles/2-frame.css`.
  const [wide, narrow] = drawer ? [2, innerWidth > 700 ? 0 : 1] : [4, 1]
  const most = isNarrow() ? narrow : wide
  const rest = shown.slice(most)
  const name =
    most === 0 ? { name: `${rest.length} active` } : { name: `+${rest.length}`, more: ' more' }
  return (
    <>
      {renderConditions(shown.slice(0, most))}
      {rest.length > 0 && <Menu class="pill" {...name} children={renderConditions(rest)} />}
    </>
  )
}

function renderConditions(conditions: readonly Condition[]) {
  const items = conditions.map(([text, href, label, remove]) => (
    <li key={label} class="condition">
      <a href={href} title={text || ''} children={text} />
      {remove && (
        <Act class="" aria-label={label} title={label} text="✕" onClick={() => change(remove)} />
      )}
    </li>
  ))
  return <ul class="conditions" data-focus-list aria-label="What is not normal" children={items} />
}

/**
 * It goes with the next click, and by itself unless it is a problem. Its buttons leave the focus
 * where it is.
 */
function Toast() {
  const said: Partial<Notice> | undefined =
    connection.value === 'disconnected' ? { text: AWAY } : notice.value
  const { kind, text = '', undoable } = said ?? {}
  const label =
    undoable && verbOf(undoable.row) + (kind === 'done' ? '' : ` row ${undoable.row.id}`)
  return (
    <div class="toast" role="status" onMouseDown={(event) => event.preventDefault()}>
      {text && <bdi class={kind}>{showHidden(text).replace(/^[a-z]+(?=[ :])/, capitalize)}</bdi>}
      {undoable && <Act text={label} onClick={() => undo(undoable.steps, undoable.row.sandbox)} />}
      {kind === 'done' && undoable && <kbd>{undoable.row.isUndo ? 'Shift Z' : 'Z'}</kbd>}
      {kind && <Sign label="Dismiss" onClick={dismiss} />}
    </div>
  )
}

function Locked() {
  const isRefused = connection.value === 'refused'
  useEffect(() => document.querySelector<HTMLElement>('.unlock input')?.focus(), [])
  return (
    <Form
      class="card unlock"
      label="Unlock"
      verb="Unlock"
      onSend={({ token = '' }) => unlock(token.trim())}
    >
      <h1 tabIndex={-1}>Enter the control token</h1>
      <p>You chose it, or the mock printed it.</p>
      <Field
        label="Token"
        name="token"
        class="mono"
        type="password"
        required
        aria-invalid={isRefused}
      />
      <p class="problem" role="alert" children={isRefused && 'This token is not valid.'} />
    </Form>
  )
}

if (drawer) document.body.className = 'drawer'
if (history.state) notify(history.state)
followAddress()
start()
keepFocus()
listenForKeys()
acceptFiles()
addEventListener(
  'pointerdown',
  ({ target }) => void ((target as Element).closest('.toast') ?? dismiss()),
)
// A menu closes when the focus leaves it, also by a click in the app around a drawer.
const closeMenu = () => document.querySelector<HTMLElement>(':popover-open')?.hidePopover()
addEventListener('blur', closeMenu)
addEventListener(
  'focusin',
  ({ target }) => (target as Element).matches(':has(+:popover-open), .menu *') || closeMenu(),
)
// What fits, and the side to which a drawer can move, may be different now.
addEventListener('resize', () => (route.value = { ...route.value }))
renderWith(() => renderWatching(() => render(<App />, document.body)))
