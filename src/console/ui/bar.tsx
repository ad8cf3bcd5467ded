// The bar of every view: which state is shown, what is not normal about it, each with a way to remove it, and what to break.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ControlClient } from '../../client/client.ts'
import { describeDelay, describeFault, isUsedUp } from '../../render/describe-fault.ts'
import { isRequest } from '../../world/row.ts'
import { attempt, change } from '../actions.ts'
import { findBroken, KINDS, PLACES, step, times, timesLeft, toggle } from '../break.ts'
import { control } from '../connection.ts'
import { hasSandboxes, mockNow, scope, use } from '../mock.ts'
import { currentSandbox, go, link, route } from '../route.ts'
import { count, dateTime, isMoved, shorten, showHidden } from '../text.ts'
import { Act, Button, Item, Menu } from './controls.tsx'

const NARROWEST_PX = 80

export function Bar() {
  const chosen = currentSandbox()
  const keys = use('sandboxes', null)
  const isUnknown = chosen !== null && keys?.includes(chosen) === false
  return (
    <section class="bar" aria-label="State">
      {hasSandboxes() && <SandboxMenu />}
      <a class="pill" href={link('scenarios')}>
        <span class="long">Scenario</span> <b>{shorten(showHidden(use('state')?.name ?? ''))}</b>
      </a>
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

/** Without a chosen one, the timeline shows all. */
function SandboxMenu() {
  const chosen = currentSandbox()
  const sandboxes = use('sandboxes', null) ?? []
  const rows = (use('rows', '*') ?? []).filter(isRequest)
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
      {sandboxes.map((key) => (
        <div key={key} class="inline">
          <Item
            label={shorten(key, 20)}
            more={count(rows.filter(({ sandbox }) => sandbox === key).length, 'request')}
            isCurrent={key === chosen}
            onClick={() => choose(key)}
          />
          <Act class="button quiet" aria-label={`Remove ${key}`} onClick={() => remove(key)}>
            {doomed === key ? 'Remove for good' : 'Remove'}
          </Act>
        </div>
      ))}
      {sandboxes.length === 0 && <p class="item muted">A sandbox begins with the first request of its API key.</p>}
    </Menu>
  )
}

/** A line for each kind and a column for each place. It stays open, and nothing in it moves. */
function BreakMenu() {
  const faults = use('faults') ?? []
  const often = times.value === undefined ? 'always' : count(times.value, 'time')
  return (
    <Menu class="pill dashed" isWide name="+ Break" more=" something">
      <div class="break-head">
        <b>How often</b>
        <Button aria-label="Less often" isOff={times.value === 1} onClick={() => step(-1)}>
          −
        </Button>
        <output aria-label="How often">{often}</output>
        <Button aria-label="More often" isOff={times.value === undefined} onClick={() => step(1)}>
          +
        </Button>
        <span class="grow" />
        <Act class="button quiet" isOff={faults.length === 0} onClick={() => change((mock) => mock.faults.clear())}>
          All off
        </Act>
        <a class="item" href={link('faults')}>
          More…
        </a>
      </div>
      <div class="break">
        <span />
        {PLACES.map((place) => (
          <small key={place}>{place === '*' ? 'all' : place}</small>
        ))}
        {KINDS.map((kind) => [
          <span key={kind.id}>{kind.label}</span>,
          ...PLACES.map((place) => {
            const broken = findBroken(kind, place, faults)
            return (
              <Act
                key={kind.id + place}
                class="cell"
                aria-pressed={broken !== undefined}
                aria-label={`${kind.label}: ${place === '*' ? 'all' : place}`}
                onClick={() => toggle(kind, place)}
              >
                {broken ? `×${timesLeft(broken) ?? '∞'}` : '·'}
              </Act>
            )
          }),
        ])}
      </div>
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
        <Button class="pill" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Less' : `+${hidden}`}
        </Button>
      )}
    </>
  )
}

/** What is not normal, where there is more about it, and what removes it. */
type Condition = readonly [
  text: string | false | undefined,
  href: string,
  label?: string,
  remove?: (mock: ControlClient) => Promise<unknown>,
]

function findConditions(): Condition[] {
  const state = use('state')
  const clock = use('clock')
  if (!state || !clock) return []
  const { latency = 0, surprise } = state
  const faults = (use('faults') ?? []).filter((fault) => !isUsedUp(fault))
  const changed = (use('assumptions') ?? []).filter(({ choice, default: usual }) => choice !== usual)
  const isClockMoved = clock.frozen || isMoved(Date.parse(clock.now), clock.readAt)
  const time = `${dateTime(mockNow(clock))}${clock.frozen ? ', frozen' : ''}`
  const here = link('faults')
  const conditions: Condition[] = [
    ...faults.map((one): Condition => [describeFault(one), here, `Remove fault ${one.id}`, (mock) => mock.faults.remove(one.id)]),
    [latency !== 0 && `+${describeDelay(latency)}`, here, 'Remove the latency', (mock) => mock.latency.set(null)],
    [isClockMoved && time, here, 'Set the clock to real time', (mock) => mock.clock.set(null)],
    ...changed.map(
      ({ id, choice, default: usual }): Condition => [
        `${id}: ${choice}`,
        link('assumptions', id),
        `Reset ${id}`,
        (mock) => mock.assume({ [id]: usual }),
      ],
    ),
    [surprise && `surprises of seed ${surprise.seed}`, here],
  ]
  return conditions.filter(([text]) => text)
}
