// The page: the head, the bar of every view, the view that the address names, and the message at
// the bottom.
import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isRequest } from '../world/row.ts'
import { activeFaults, Bar, Sandboxes } from './bar.tsx'
import { showKeys } from './keys.tsx'
import { takeTurn, undo } from './model/actions.ts'
import { verbOf } from './model/arrange.ts'
import {
  baseUrl,
  connection,
  drawer,
  isLocked,
  isPlayer,
  mockUrl,
  unlock,
} from './model/connection.ts'
import { isPaused, togglePause } from './model/hold.ts'
import { read, readRows, scope } from './model/mock.ts'
import { dismiss, type Notice, notice, type Undoable } from './model/notice.ts'
import { currentSandbox, link, route, VIEW_IDS, type ViewId } from './model/route.ts'
import { countNewFailures, see } from './model/seen.ts'
import { capitalize, count, showHidden, type Texts } from './model/text.ts'
import { Button, IconButton, MockButton } from './ui/button.tsx'
import { AWAY, Chip } from './ui/chip.tsx'
import { copy } from './ui/copy.ts'
import { Dialog } from './ui/dialog.tsx'
import { Field, Form } from './ui/form.tsx'
import { isNarrow, Page } from './ui/pane.tsx'
import { Animals } from './views/animals.tsx'
import { Assumptions } from './views/assumptions.tsx'
import { Faults } from './views/faults.tsx'
import { MomentBar } from './views/moment-bar.tsx'
import { Scenarios } from './views/scenarios.tsx'
import { Strip } from './views/strip.tsx'
import { Timeline } from './views/timeline.tsx'

type View = Readonly<{
  component: ComponentType
  /** The rest of its name, left out of a narrow window. */
  more?: string
  /** Beside its name. */
  renderAmount?(): ComponentChildren
}>

const VIEWS: Readonly<Record<ViewId, View>> = {
  timeline: { component: Timeline, renderAmount: renderFailures },
  animals: { component: Animals, renderAmount: renderAnimals },
  scenarios: { component: Scenarios },
  faults: { component: Faults, more: ' and clock', renderAmount: renderFaults },
  assumptions: { component: Assumptions },
}
const TONES = { connecting: '', disconnected: 'bad', locked: 'warn', refused: 'warn' }
/** A narrower drawer has no room for the list of keys. */
const KEYS_PX = 500

const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href

/** The failures that you have not seen, or else the number of all requests. */
function renderFailures() {
  const rows = readRows() ?? []
  const { view, part } = route.value
  const isCovered = part !== '' && isNarrow()
  if (view === 'timeline' && !isCovered) see(rows)
  const failures = countNewFailures(rows)
  if (failures === 0) return <small>{count(rows.filter(isRequest).length)}</small>
  return <Chip tone="bad" text={`● ${count(failures)}`} />
}

function renderAnimals() {
  if (scope() === '*') return null
  return <small>{count(read('summary')?.pets ?? 0)}</small>
}

function renderFaults() {
  const faults = activeFaults()
  if (faults.length === 0) return null
  return <Chip tone="warn" text={count(faults.length)} />
}

export function App() {
  const { view } = route.value
  const View = findView(view)
  const isFirst = useRef(true)
  useEffect(() => {
    const name = capitalize(view) + (VIEWS[view].more ?? '')
    document.title = `${name} · ${new URL(mockUrl).host} · Animal Store mock`
    // The focus goes along to another view, not to the first one; a message stays behind.
    const heading = isFirst.current ? null : document.querySelector<HTMLElement>('main h1')
    heading?.focus({ preventScroll: true })
    isFirst.current = false
    return dismiss
  }, [view])
  return (
    <>
      <Head />
      {!isLocked() && !drawer && <Bar />}
      {!isLocked() && <Strip />}
      {!isLocked() && <MomentBar />}
      <main>{isLocked() ? <Locked /> : <View key={currentSandbox() ?? ''} />}</main>
      <Toast />
      <Dialog />
    </>
  )
}

function findView(view: ViewId): ComponentType {
  // Of the other views only Scenarios works for all: what it loads is the start of future
  // sandboxes.
  const isForAll = view === 'timeline' || view === 'scenarios'
  return scope() === '*' && !isForAll ? ChooseSandbox : VIEWS[view].component
}

function ChooseSandbox() {
  return (
    <Page title="Choose a sandbox">
      <Sandboxes />
    </Page>
  )
}

function Head() {
  const hasKeys = !drawer || innerWidth > KEYS_PX
  return (
    <header class="head">
      <img class="logo" width={24} src={icon} alt="" />
      <strong class="brand long">Animal Store mock</strong>
      <nav aria-label="Views">{!isLocked() && VIEW_IDS.map(renderLink)}</nav>
      {drawer ? <Bar /> : !isPlayer && <Address />}
      {renderConnection()}
      {hasKeys && (
        <IconButton label="Keys" onClick={showKeys}>
          ?
        </IconButton>
      )}
      <DrawerSigns />
    </header>
  )
}

function renderConnection() {
  const state = isLocked() ? 'locked' : connection.value
  if (state === 'live') return <Live />
  return <span class={`live ${TONES[state]}`}>{capitalize(state)}</span>
}

/** Pauses the lists. */
function Live() {
  const isOff = isPaused.value
  const tone = isOff ? 'warn' : 'good'
  return (
    <Button
      class={`button quiet live ${tone}`}
      hotkey="p"
      aria-pressed={isOff}
      title="Pause or go on (P)"
      onClick={togglePause}
    >
      {isOff ? 'Paused' : 'Live'}
    </Button>
  )
}

function renderLink(id: ViewId) {
  const { more, renderAmount } = VIEWS[id]
  const name = capitalize(id)
  const current = id === route.value.view ? 'page' : false
  const amount = renderAmount?.()
  return (
    <a key={id} href={link(id)} aria-current={current}>
      {name}
      {more && <span class="long">{more}</span>} {amount}
    </a>
  )
}

function Address() {
  const copyAddress = () => copy(baseUrl)
  return (
    <span class="url">
      <code class="long">{baseUrl}</code>
      <Button hotkey="u" title={baseUrl} onClick={copyAddress}>
        Copy URL
      </Button>
    </span>
  )
}

function DrawerSigns() {
  if (!drawer) return null
  const side = drawer.target()
  return (
    <>
      {side && (
        <IconButton label={`Dock at the ${side}`} onClick={drawer.move}>
          <i class="dock" style={`border-${side}-width: 6px`} />
        </IconButton>
      )}
      <IconButton label="Close the console (Escape)" onClick={drawer.close}>
        ✕
      </IconButton>
    </>
  )
}

/**
 * Shows the last notice. The next click removes it; a notice that is not a problem also disappears
 * by itself. A click on its buttons does not move the focus.
 */
function Toast() {
  const keepFocus = (event: Event) => event.preventDefault()
  const isAway = connection.value === 'disconnected'
  return (
    <div class="toast" role="status" onMouseDown={keepFocus}>
      {isAway ? <bdi>{AWAY}</bdi> : renderNotice()}
    </div>
  )
}

function renderNotice() {
  if (!notice.value) return null
  const { kind, text, undoable } = notice.value
  return (
    <>
      <bdi class={kind}>{linkRows(capitalizeWord(showHidden(text)))}</bdi>
      {undoable && renderUndo(undoable, kind)}
      <IconButton label="Dismiss" onClick={dismiss}>
        ✕
      </IconButton>
    </>
  )
}

/** The numbers of rows are links to them. */
function linkRows(text: string): ComponentChildren {
  return text.split(/\b(row \d+)\b/).map((part, index) => {
    if (index % 2 === 0) return part
    return (
      <a key={index} href={link('timeline', part.slice(4))}>
        {part}
      </a>
    )
  })
}

/** Undoes your change, or the change of another that blocks your undo. */
function renderUndo(undoable: Undoable, kind: Notice['kind']) {
  const { row, steps } = undoable
  const verb = verbOf(row)
  const run = () => takeTurn(() => undo(steps, row.sandbox))
  if (kind === 'problem') {
    return (
      <MockButton onClick={run}>
        {verb} row {row.id}
      </MockButton>
    )
  }
  return (
    <>
      <MockButton onClick={run}>{verb}</MockButton>
      <kbd>{row.isUndo ? 'Shift Z' : 'Z'}</kbd>
    </>
  )
}

/** Not a name such as `createPet`. */
function capitalizeWord(text: string): string {
  return text.replace(/^[a-z]+(?=[ :])/, capitalize)
}

function Locked() {
  const isRefused = connection.value === 'refused'
  const send = ({ token = '' }: Texts) => unlock(token.trim())
  useEffect(() => document.querySelector<HTMLElement>('.unlock input')?.focus(), [])
  return (
    <Form class="card unlock" label="Unlock" verb="Unlock" onSend={send}>
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
      <p class="problem" role="alert">
        {isRefused && 'This token is not valid.'}
      </p>
    </Form>
  )
}
