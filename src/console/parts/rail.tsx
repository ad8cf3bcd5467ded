// The sidebar (on top of narrow pages): navigation, world, connection, theme.
import { useState } from 'preact/hooks'
import type { Actions } from '../state/actions.ts'
import { type ConsoleState, isTemplate } from '../state/console-state.ts'
import { toNow, type WorldView } from '../state/world-view.ts'
import { Icon, type IconName } from './icon.tsx'
import { isOff, toDateTime } from './instants.ts'
import { applyTheme, recallTheme, toNextTheme } from './theme.ts'
import { toShort } from './to-short.ts'

interface NavigationItem {
  readonly id: string
  readonly href: string
  readonly label: string
  readonly icon: IconName
  /** Shown beside the label. */
  readonly count: string
}

interface RailProps {
  readonly state: ConsoleState
  readonly actions: Actions
  readonly items: readonly NavigationItem[]
  readonly current: string
}

const SHARED = ''

export function Rail({ state, actions, items, current }: RailProps) {
  const { version, world } = state
  return (
    <header class="rail">
      <div class="brand">
        <span class="logo">
          <Icon name="animals" />
        </span>
        <div>
          <strong>Animal Store</strong>
          <span class="muted">mock {version}</span>
        </div>
      </div>
      <WorldPicker {...{ state, actions }} />
      <nav aria-label="Views">
        <ul>
          {items.map(({ id, href, label, icon, count }) => (
            <li key={id}>
              <a href={href} {...(id === current ? { 'aria-current': 'page' as const } : {})}>
                <Icon name={icon} />
                <span class="nav-label">{label}</span> <span class="count">{count}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="rail-foot">
        <div class="situation">
          <p title={isTemplate(state) ? 'New sandboxes start from this scenario' : 'The loaded scenario'}>
            <span class="muted">{isTemplate(state) ? 'New sandboxes:' : 'Scenario'}</span> <bdi class="mono">{world?.name ?? '…'}</bdi>
          </p>
          {world && <MockTime clock={world.clock} />}
        </div>
        <Link state={state} />
        <ThemeButton />
      </div>
    </header>
  )
}

function WorldPicker({ state: { hasSandboxes, sandbox, sandboxes }, actions }: { state: ConsoleState; actions: Actions }) {
  // An address may name a key that has not been used yet.
  const keys = sandbox === undefined || sandboxes.includes(sandbox) ? sandboxes : [...sandboxes, sandbox]
  return (
    <label class="field world">
      <span>World</span>
      <select
        value={sandbox ?? SHARED}
        disabled={!hasSandboxes}
        title={hasSandboxes ? '' : 'Start the mock with --sandbox to give every API key its own world'}
        onChange={({ currentTarget: { value } }) => actions.look(value === SHARED ? undefined : value)}
      >
        <option value={SHARED}>{hasSandboxes ? 'All sandboxes' : 'Shared by all keys'}</option>
        {keys.map((key) => (
          <option key={key} value={key} title={key}>
            Sandbox {toShort(key)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The mock's time, where it is not the real one. */
function MockTime({ clock }: { clock: WorldView['clock'] }) {
  const now = toNow(clock, Date.now())
  if (Number.isNaN(now) || !isOff(now)) return null
  return (
    <p class="numbers" title={`The mock's time; the real time is ${toDateTime(Date.now())} UTC`}>
      <span class="muted">{clock.frozen ? 'Frozen at' : 'Clock'}</span> {toDateTime(now).slice(0, 16)}
    </p>
  )
}

/** The state of the connection in one word. */
function Link({ state: { connection } }: { state: ConsoleState }) {
  const words = { live: 'Live', connecting: 'Connecting', waiting: 'Disconnected', locked: 'Locked', paused: 'Paused' } as const
  return (
    <p class={`link ${connection.kind}`} role="status">
      <span class="dot" aria-hidden="true" />
      {words[connection.kind]}
    </p>
  )
}

function ThemeButton() {
  const [theme, setTheme] = useState(recallTheme)
  const next = toNextTheme(theme)
  const change = () => {
    applyTheme(next)
    setTheme(next)
  }
  return (
    <button
      type="button"
      class="button quiet sign"
      title={`Theme: ${theme}`}
      aria-label={`Theme: ${theme}; switch to ${next}`}
      onClick={change}
    >
      <Icon name={theme} />
    </button>
  )
}
