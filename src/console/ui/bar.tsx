// The bar of every view: which state is shown, what is not normal about it, each with a way to remove it, and what to break.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { scenarioList } from '../../generated/scenario-list.ts'
import { describeDelay, describeFault, isUsedUp } from '../../settings/describe-fault.ts'
import { assume, change, removeFault, removeFaults, setRealTime } from '../actions.ts'
import { breakThere, EFFECTS, findBroken, PLACES } from '../break.ts'
import { control } from '../connection.ts'
import { isChange } from '../entry.ts'
import { hasSandboxes, mockNow, scope, use } from '../mock.ts'
import { currentSandbox, link, route } from '../route.ts'
import { count, date, isMoved, shorten, showHidden } from '../text.ts'
import { loadShipped } from '../views/scenarios.tsx'
import { Act, Button } from './controls.tsx'
import { Item, Menu } from './menu.tsx'

const NARROWEST_PX = 80

export function Bar() {
  const isAll = scope() === '*'
  return (
    <section class="bar" aria-label="State">
      {hasSandboxes() && <SandboxMenu />}
      <ScenarioMenu />
      {isAll && <p class="bar-text">New sandboxes start from this scenario.</p>}
      {!isAll && isUnknown() && <p class="bar-text">No request has used this key yet.</p>}
      {!isAll && <Conditions />}
      {!isAll && <BreakMenu />}
    </section>
  )
}

/** Whether the address names a sandbox that there is not yet. */
function isUnknown(): boolean {
  const chosen = currentSandbox()
  const keys = use('sandboxes', null)
  return chosen !== null && keys !== undefined && !keys.includes(chosen)
}

/** Every API key with its number of requests. Without a chosen one, the timeline shows all. */
function SandboxMenu() {
  const keys = use('sandboxes', null) ?? []
  const chosen = currentSandbox()
  const entries = use('rows', '*') ?? []
  const [doomed, setDoomed] = useState('')
  const { view } = route.value
  const choose = (key: string | null) => {
    location.hash = link(view, '', {}, key)
  }
  const remove = async (key: string) => {
    if (doomed !== key) return setDoomed(key)
    const isGone = await change(() => control(null).removeSandbox(key), { sandbox: null, text: `Removed the sandbox ${key}` })
    if (isGone && key === chosen) choose(null)
  }
  return (
    <Menu
      class="pill"
      title="Sandbox"
      label={
        <>
          Sandbox <b>{chosen === null ? 'all' : shorten(chosen)}</b>
        </>
      }
    >
      <Item label="All sandboxes" more="Their requests in one list" isCurrent={chosen === null} onClick={() => choose(null)} />
      {keys.map((key) => (
        <div key={key} class="inline">
          <Item
            label={shorten(key, 20)}
            more={count(entries.filter((row) => row.sandbox === key && !isChange(row)).length, 'request')}
            isCurrent={key === chosen}
            onClick={() => choose(key)}
          />
          <Act class="button quiet" aria-label={`Remove ${key}`} onClick={() => remove(key)}>
            {doomed === key ? 'Remove for good' : 'Remove'}
          </Act>
        </div>
      ))}
      {keys.length === 0 && <p class="muted">A sandbox begins with the first request of its API key.</p>}
    </Menu>
  )
}

function ScenarioMenu() {
  const name = use('state')?.name ?? ''
  return (
    <Menu
      class="pill"
      title={`Scenario ${name}`}
      width={380}
      label={
        <>
          Scenario <b>{showHidden(name)}</b>
        </>
      }
    >
      <Item label={`Reset to ${shorten(showHidden(name))}`} more="As it was when it was loaded" onClick={() => loadShipped(undefined)} />
      {scenarioList.map((one) => (
        <Item key={one.name} label={one.name} more={one.description} isCurrent={one.name === name} onClick={() => loadShipped(one.name)} />
      ))}
    </Menu>
  )
}

function BreakMenu() {
  const faults = use('faults') ?? []
  return (
    <Menu class="pill dashed" width={430} label="+ Break something">
      {/* Stays open, so that a second click can raise the count. */}
      <div class="break" ref={(element) => element?.style.setProperty('--columns', String(PLACES.length))}>
        {EFFECTS.map((effect) => [
          <span key={effect.label}>{effect.label}</span>,
          ...PLACES.map((place) => {
            const broken = findBroken(effect, place, faults)
            const left = broken?.times === undefined ? '' : ` ×${broken.times - broken.applied}`
            const name = place === '*' ? 'all' : place
            return (
              <Act
                key={effect.label + place}
                class={broken ? 'cell on' : 'cell'}
                aria-label={`${effect.label}: ${name}${left}`}
                onClick={() => breakThere(effect, place, faults)}
              >
                {name}
                {left}
              </Act>
            )
          }),
        ])}
      </div>
      <Item label="All off" more="Removes every fault" onClick={removeFaults} />
      <a class="item" href={link('faults')}>
        <b>More…</b>
      </a>
    </Menu>
  )
}

/** One line of them; a button opens the rest. */
function Conditions() {
  const list = useRef<HTMLUListElement>(null)
  const [hidden, setHidden] = useState(0)
  const [isOpen, setOpen] = useState(false)
  const measure = () => {
    const items = [...(list.current?.children ?? [])] as HTMLElement[]
    // A sliver of one would look broken.
    const text = items[0]?.querySelector('a')
    const isTight = text !== undefined && text !== null && text.clientWidth < Math.min(text.scrollWidth, NARROWEST_PX)
    const below = items.filter((item) => isTight || item.offsetTop > (items[0]?.offsetTop ?? 0) + 4)
    for (const item of items) item.inert = !isOpen && below.includes(item)
    setHidden(below.length)
  }
  useLayoutEffect(measure)
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure)
    if (list.current) observer.observe(list.current)
    return () => observer.disconnect()
  }, [isOpen])
  return (
    <>
      <ul ref={list} class={`conditions ${isOpen ? 'open' : ''}`} data-focus-list aria-label="What is not normal">
        <ConditionList />
      </ul>
      {(hidden > 0 || isOpen) && (
        <Button class="pill" aria-expanded={isOpen} title="Everything that is not normal" onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Less' : `+${hidden}`}
        </Button>
      )}
    </>
  )
}

function ConditionList() {
  const state = use('state')
  const faults = use('faults')
  const clock = use('clock')
  const assumptions = use('assumptions')
  if (!state || !faults || !clock || !assumptions) return null
  const { latency = 0, surprise } = state
  const changed = assumptions.filter(({ choice, default: usual }) => choice !== usual)
  const isClockMoved = clock.frozen || isMoved(Date.parse(clock.now), clock.readAt)
  return (
    <>
      {faults
        .filter((fault) => !isUsedUp(fault))
        .map((fault) => (
          <Condition key={fault.id} href={link('faults')} label={`Remove fault ${fault.id}`} onRemove={() => removeFault(fault)}>
            {describeFault(fault)}
          </Condition>
        ))}
      {latency !== 0 && (
        <Condition href={link('faults')} label="Remove the latency" onRemove={() => change(() => control().latency.set(null))}>
          +{describeDelay(latency)}
        </Condition>
      )}
      {isClockMoved && (
        <Condition href={link('faults')} label="Set the clock to real time" onRemove={setRealTime}>
          {date(mockNow(clock))}
          {clock.frozen && ', frozen'}
        </Condition>
      )}
      {changed.map(({ id, choice, default: usual }) => (
        <Condition key={id} href={link('assumptions', id)} label={`Reset ${id}`} onRemove={() => assume(id, usual)}>
          {id}: {choice}
        </Condition>
      ))}
      {surprise && (
        <li class="condition">
          <a href={link('faults')}>surprises of seed {surprise.seed} </a>
        </li>
      )}
    </>
  )
}

interface ConditionProps {
  readonly href: string
  readonly label: string
  readonly children: ComponentChildren
  onRemove(): unknown
}

function Condition({ href, label, children, onRemove }: ConditionProps) {
  return (
    <li class="condition">
      <a href={href}>{children}</a>
      <Act class="" aria-label={label} title={label} onClick={onRemove}>
        ✕
      </Act>
    </li>
  )
}
