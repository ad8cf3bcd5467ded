// Starts the page: the head with the base URL, the bar, and the view that the address names.
import { type ComponentType, render } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { undo } from './actions.ts'
import { baseUrl, connection, isLocked, unlock } from './connection.ts'
import { hasSandboxes, start, use, useRequests } from './mock.ts'
import { adjust, currentSandbox, followAddress, link, route, type ViewId } from './route.ts'
import { count, shorten } from './text.ts'
import { Bar } from './ui/bar.tsx'
import { Copy, Field, Form, keepFocus, Select } from './ui/controls.tsx'
import { Animals } from './views/animals.tsx'
import { Assumptions } from './views/assumptions.tsx'
import { Faults } from './views/faults.tsx'
import { Requests } from './views/requests.tsx'
import { acceptFiles, Scenarios } from './views/scenarios.tsx'

const VIEWS: Readonly<Record<ViewId, { readonly label: string; readonly component: ComponentType; amount?(): string }>> = {
  requests: { label: 'Requests', component: Requests, amount: () => count(useRequests()?.length ?? 0) },
  animals: { label: 'Animals', component: Animals, amount: () => count(use('summary')?.pets ?? 0) },
  scenarios: { label: 'Scenarios', component: Scenarios },
  faults: { label: 'Faults and clock', component: Faults },
  assumptions: { label: 'Assumptions', component: Assumptions, amount: countUsed },
}
const CONNECTIONS = {
  connecting: { text: 'Connecting', tone: '' },
  live: { text: 'Live', tone: 'good' },
  waiting: { text: 'Disconnected', tone: 'bad' },
  locked: { text: 'Locked', tone: 'warn' },
  refused: { text: 'Locked', tone: 'warn' },
}
const ALL = ''
const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href

function App() {
  const { view } = route.value
  const { label, component: View } = VIEWS[view]
  const sandbox = currentSandbox()
  const { text: state, tone } = CONNECTIONS[connection.value]
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    document.title = `${label} · Animal Store mock`
    // The focus goes along to another view, not to the first one.
    if (!isFirst.current) main.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    isFirst.current = false
  }, [view])
  return (
    <>
      <header class="head">
        <img class="logo" width={26} src={icon} alt="" />
        <strong class="brand">Animal Store mock</strong>
        <nav aria-label="Views">
          {!isLocked() &&
            Object.entries(VIEWS).map(([id, { label: text, amount }]) => (
              <a key={id} href={link(id as ViewId)} aria-current={id === view ? 'page' : false}>
                {text} <small>{amount?.()}</small>
              </a>
            ))}
        </nav>
        {!isLocked() && <SandboxPicker />}
        <span class="url">
          <code>{baseUrl}</code>
          <Copy aria-label="Copy the Base URL" text={() => baseUrl} />
        </span>
        <span class={`live ${tone}`}>{state}</span>
      </header>
      {!isLocked() && <Bar />}
      <main ref={main}>{isLocked() ? <Locked /> : <View key={sandbox ?? ALL} />}</main>
    </>
  )
}

function countUsed(): string {
  const used = use('assumptions')?.filter(({ uses }) => uses > 0).length ?? 0
  return used === 0 ? '' : `${count(used)} used`
}

/** Only with `--sandbox`. All of them together exist in Requests only. */
function SandboxPicker() {
  const sandboxes = use('sandboxes', null) ?? []
  const chosen = currentSandbox()
  if (!hasSandboxes()) return null
  const keys = chosen === null || sandboxes.includes(chosen) ? sandboxes : [...sandboxes, chosen]
  const { view } = route.value
  return (
    <Select
      class="picker"
      label="Sandbox"
      value={chosen ?? ALL}
      options={[[ALL, view === 'requests' ? 'all' : 'template'], ...keys.map((key) => [key, shorten(key)] as const)]}
      onChange={(key) => {
        location.hash = link(view, '', {}, key || null)
      }}
    />
  )
}

/** `/` focuses the search, Escape closes the detail, and Ctrl+Z undoes what the bar offers to undo, unless you are typing. */
function listenForKeys(): void {
  addEventListener('keydown', (event) => {
    const { key, target, altKey, shiftKey, defaultPrevented } = event
    const isTyping = target instanceof Element && target.matches('textarea, select, input:not([type=radio])')
    const isPlain = !event.ctrlKey && !event.metaKey
    const search = document.querySelector<HTMLInputElement>('main input[type=search]')
    if (altKey || defaultPrevented) return
    if (key === 'Escape' && route.value.part !== '') adjust({ part: '' })
    else if (isTyping) return
    else if (key === '/' && isPlain && search) search.focus()
    else if (key.toLowerCase() === 'z' && !isPlain && !shiftKey) void undo()
    else return
    event.preventDefault()
  })
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
