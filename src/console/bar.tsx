// The bar of every view: the sandbox, the scenario, and what is not normal, with a button that
// makes each of it normal again.
import { describeDelay, describeFault, printSurprise } from '../world/describe-fault.ts'
import { isUsedUp } from '../world/fault-outcome.ts'
import { change } from './model/actions.ts'
import { type Ask, drawer } from './model/connection.ts'
import { hasSandboxes, mockNow, read, scope } from './model/mock.ts'
import { currentSandbox, link, route } from './model/route.ts'
import { formatDate, shorten, showHidden } from './model/text.ts'
import { MockButton } from './ui/button.tsx'
import { Menu } from './ui/menu.tsx'
import { isNarrow } from './ui/pane.tsx'
import { BreakMenu } from './views/break-menu.tsx'
import { loadShipped } from './views/scenarios.tsx'

export function Bar() {
  const { recording } = read('summary', null) ?? {}
  const scenario = read('state')?.name ?? ''
  const shortName = shorten(showHidden(scenario))
  const sandbox = shorten(currentSandbox() ?? 'all')
  const isOne = scope() !== '*'
  return (
    <section class="bar" aria-label="State">
      {hasSandboxes() && (
        <Menu class="pill" name="Sandbox" hotkey="o" value={sandbox}>
          <Sandboxes />
        </Menu>
      )}
      <Menu class="pill scenario" name="" more="Scenario" value={shortName} hotkey="l">
        <ScenarioMenu current={scenario} />
      </Menu>
      {recording && <RecordingName file={recording.file} />}
      {/* Before what it adds, so that it stays where you click. */}
      {isOne && <BreakMenu />}
      {isOne && <Conditions />}
    </section>
  )
}

function RecordingName({ file }: { file: string }) {
  return (
    <p class="bar-text">
      <b>{showHidden(file)}</b>, recording
    </p>
  )
}

function ScenarioMenu({ current }: { current: string }) {
  const scenarios = read('scenarios', null) ?? []
  const reset = () => change((mock) => mock.reset())
  return (
    <>
      <MockButton class="item" onClick={reset}>
        Reset to {showHidden(current)}
      </MockButton>
      {scenarios.map(({ name }) => (
        <ScenarioItem key={name} name={name} isCurrent={name === current} />
      ))}
      <a class="item" href={link('scenarios')}>
        Files and descriptions…
      </a>
    </>
  )
}

export function Sandboxes() {
  const keys: (string | null)[] = (read('sandboxes', null) ?? []).toSorted()
  const chosen = currentSandbox()
  if (keys.length === 0) {
    return (
      <div>
        <p class="item muted">No API key has sent a request.</p>
      </div>
    )
  }
  if (chosen !== null) keys.unshift(null)
  return (
    <div>
      {keys.map((key) => (
        <SandboxLink key={key} sandbox={key} isChosen={key === chosen} />
      ))}
    </div>
  )
}

function ScenarioItem({ name, isCurrent }: { name: string; isCurrent: boolean }) {
  const load = () => loadShipped(name)
  return (
    <MockButton class="item" aria-current={isCurrent} onClick={load}>
      {name}
    </MockButton>
  )
}

function SandboxLink({ sandbox, isChosen }: { sandbox: string | null; isChosen: boolean }) {
  const href = link(route.value.view, '', {}, sandbox)
  const name = sandbox === null ? 'All sandboxes' : shorten(sandbox)
  return (
    <a class="item" href={href} aria-current={isChosen}>
      {name}
    </a>
  )
}

export function activeFaults() {
  const faults = scope() === '*' ? undefined : read('faults')
  return (faults ?? []).filter((fault) => !isUsedUp(fault))
}

type Condition = {
  text: string
  href: string
  /** The name of the button, and what makes it normal again. Surprises stay. */
  label?: string
  remove?: Ask<unknown>
}

function listConditions(): Condition[] {
  const state = read('state')
  const clock = read('clock')
  if (!state || !clock) return []
  const href = link('faults')
  const conditions: Condition[] = []
  for (const fault of activeFaults()) {
    conditions.push({
      text: describeFault(fault),
      href,
      label: `Remove fault ${fault.id}`,
      remove: (mock) => mock.faults.remove(fault.id),
    })
  }
  if (state.latency !== undefined) {
    conditions.push({
      text: `+${describeDelay(state.latency)}`,
      href,
      label: 'Remove the latency',
      remove: (mock) => mock.latency.set(null),
    })
  }
  if (state.now !== undefined) {
    conditions.push({
      text: formatDate(mockNow(clock)) + (clock.frozen ? ', frozen' : ''),
      href,
      label: 'Set the clock to real time',
      remove: (mock) => mock.clock.set(null),
    })
  }
  for (const assumption of read('assumptions') ?? []) {
    const { id, choice } = assumption
    if (choice === assumption.default) continue
    conditions.push({
      text: `${id}=${choice}`,
      href: link('assumptions', id),
      label: `Reset ${id}`,
      remove: (mock) => mock.assume({ [id]: assumption.default }),
    })
  }
  if (state.surprise) {
    conditions.push({ text: `surprises of ${printSurprise(state.surprise)}`, href })
  }
  return conditions
}

function Conditions() {
  const conditions = listConditions()
  const most = findMost()
  const others = conditions.slice(most)
  const amount = others.length
  const name = most === 0 ? { name: `${amount} active` } : { name: `+${amount}`, more: ' more' }
  return (
    <>
      {renderConditions(conditions.slice(0, most))}
      {amount > 0 && (
        <Menu class="pill" {...name}>
          {renderConditions(others)}
        </Menu>
      )}
    </>
  )
}

/** How many have room beside the menu with the others. Also in `styles/2-frame.css`. */
function findMost(): number {
  if (!drawer) return isNarrow() ? 1 : 4
  if (!isNarrow()) return 2
  return innerWidth > 700 ? 0 : 1
}

function renderConditions(conditions: readonly Condition[]) {
  return (
    <ul class="conditions" data-focus-list aria-label="What is not normal">
      {conditions.map(renderCondition)}
    </ul>
  )
}

function renderCondition(condition: Condition) {
  const { text, href, label, remove } = condition
  const act = () => remove && change(remove)
  return (
    <li key={label} class="condition">
      <a href={href} title={text}>
        {text}
      </a>
      {remove && (
        <MockButton class="" aria-label={label} title={label} onClick={act}>
          ✕
        </MockButton>
      )}
    </li>
  )
}
