// The bar of every view: which state is shown, what is not normal about it, each with a way to remove it, and what to break.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { scenarioList } from '../../generated/scenario-list.ts'
import { describeDelay, describeFault, isUsedUp } from '../../settings/describe-fault.ts'
import { isRequest } from '../../world/change.ts'
import { attempt, change } from '../actions.ts'
import { breakThere, EFFECTS, findBroken, PLACES } from '../break.ts'
import { control } from '../connection.ts'
import { hasSandboxes, mockNow, scope, use } from '../mock.ts'
import { currentSandbox, go, link, route } from '../route.ts'
import { count, dateTime, isMoved, shorten, showHidden } from '../text.ts'
import { load } from '../views/scenarios.tsx'
import { Act, Button, Item, Menu } from './controls.tsx'

const NARROWEST_PX = 80

export function Bar() {
  const chosen = currentSandbox()
  const keys = use('sandboxes', null)
  const isUnknown = chosen !== null && keys?.includes(chosen) === false
  return (
    <section class="bar" aria-label="State">
      {hasSandboxes() && <SandboxMenu />}
      <ScenarioMenu />
      {scope() === '*' ? (
        <p class="bar-text">New sandboxes start from this scenario.</p>
      ) : (
        <>
          {/* Before what it adds, so that it stays where you click. */}
          <BreakMenu />
          {isUnknown && <p class="bar-text">No request has used this key yet.</p>}
          <Conditions />
        </>
      )}
    </section>
  )
}

/** Every API key with its number of requests. */
export function useSandboxes(): { readonly key: string; readonly requests: string }[] {
  const rows = (use('rows', '*') ?? []).filter(isRequest)
  const requestsOf = (key: string) => count(rows.filter(({ sandbox }) => sandbox === key).length, 'request')
  return (use('sandboxes', null) ?? []).map((key) => ({ key, requests: requestsOf(key) }))
}

/** Without a chosen one, the timeline shows all. */
function SandboxMenu() {
  const chosen = currentSandbox()
  const sandboxes = useSandboxes()
  const [doomed, setDoomed] = useState('')
  const choose = (key: string | null) => go(link(route.value.view, '', {}, key))
  // Nothing brings a sandbox back, so the first click asks.
  const remove = async (key: string) => {
    if (doomed !== key) return setDoomed(key)
    if ((await attempt(() => control(null).removeSandbox(key))) && key === chosen) choose(null)
  }
  return (
    <Menu class="pill" name="Sandbox" value={chosen === null ? 'all' : shorten(chosen)}>
      <Item label="All sandboxes" more="Their requests in one list" isCurrent={chosen === null} onClick={() => choose(null)} />
      {sandboxes.map(({ key, requests }) => (
        <div key={key} class="inline">
          <Item label={shorten(key, 20)} more={requests} isCurrent={key === chosen} onClick={() => choose(key)} />
          <Act class="button quiet" aria-label={`Remove ${key}`} onClick={() => remove(key)}>
            {doomed === key ? 'Remove for good' : 'Remove'}
          </Act>
        </div>
      ))}
      {sandboxes.length === 0 && <p class="item muted">A sandbox begins with the first request of its API key.</p>}
    </Menu>
  )
}

function ScenarioMenu() {
  const name = showHidden(use('state')?.name ?? '')
  return (
    <Menu class="pill" isWide name="Scenario" value={shorten(name)}>
      <Item label={`Reset to ${shorten(name)}`} more="As it was when it was loaded" onClick={() => load()} />
      {scenarioList.map((one) => (
        <Item key={one.name} label={one.name} more={one.description} isCurrent={one.name === name} onClick={() => load(one.name)} />
      ))}
    </Menu>
  )
}

function BreakMenu() {
  const faults = use('faults') ?? []
  return (
    <Menu class="pill dashed" isWide name="+ Break something">
      {/* Stays open, so that a second click can raise the count. */}
      <div class="break" ref={(element) => element?.style.setProperty('--columns', String(PLACES.length))}>
        {EFFECTS.map((effect) => [
          <span key={effect.label}>{effect.label}</span>,
          ...PLACES.map((place) => {
            const broken = findBroken(effect, place, faults)
            const name = `${place === '*' ? 'all' : place}${broken?.times === undefined ? '' : ` ×${broken.times - broken.applied}`}`
            return (
              <Act
                key={effect.label + place}
                class={broken ? 'cell on' : 'cell'}
                aria-label={`${effect.label}: ${name}`}
                onClick={() => breakThere(effect, place)}
              >
                {name}
              </Act>
            )
          }),
        ])}
      </div>
      <Item label="All off" more="Removes every fault" onClick={() => change(() => control().faults.clear())} />
      <a class="item" href={link('faults')}>
        <b>More…</b>
      </a>
    </Menu>
  )
}

/** One line of what is not normal; a button opens the rest. */
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
        {findConditions().map(([text, href, label, remove]) => (
          <li key={label} class="condition">
            <a href={href}>{text}</a>
            {remove && (
              <Act class="" aria-label={label} title={label} onClick={() => change(remove)}>
                ✕
              </Act>
            )}
          </li>
        ))}
      </ul>
      {(hidden > 0 || isOpen) && (
        <Button class="pill" aria-expanded={isOpen} title="Everything that is not normal" onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Less' : `+${hidden}`}
        </Button>
      )}
    </>
  )
}

/** What is not normal, where there is more about it, and what removes it. */
type Condition = readonly [text: string | false | undefined, href: string, label?: string, remove?: () => Promise<unknown>]

function findConditions(): Condition[] {
  const state = use('state')
  const clock = use('clock')
  const mock = control()
  if (!state || !clock) return []
  const { latency = 0, surprise } = state
  const faults = (use('faults') ?? []).filter((fault) => !isUsedUp(fault))
  const changed = (use('assumptions') ?? []).filter(({ choice, default: usual }) => choice !== usual)
  const isClockMoved = clock.frozen || isMoved(Date.parse(clock.now), clock.readAt)
  const time = `${dateTime(mockNow(clock)).slice(0, 10)}${clock.frozen ? ', frozen' : ''}`
  const here = link('faults')
  const conditions: Condition[] = [
    ...faults.map((one) => [describeFault(one), here, `Remove fault ${one.id}`, () => mock.faults.remove(one.id)] as const),
    [latency !== 0 && `+${describeDelay(latency)}`, here, 'Remove the latency', () => mock.latency.set(null)],
    [isClockMoved && time, here, 'Set the clock to real time', () => mock.clock.set(null)],
    ...changed.map(
      ({ id, choice, default: usual }) =>
        [`${id}: ${choice}`, link('assumptions', id), `Reset ${id}`, () => mock.assume({ [id]: usual })] as const,
    ),
    [surprise && `surprises of seed ${surprise.seed}`, here],
  ]
  return conditions.filter(([text]) => text)
}
