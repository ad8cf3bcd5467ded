// The page as a whole: the rail, the view that the address names, and what lies over them.
import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { isUsedUp } from '../client/describe-fault.ts'
import { DropTarget } from './parts/drop-target.tsx'
import { Foot } from './parts/foot.tsx'
import type { IconName } from './parts/icon.tsx'
import { Locked } from './parts/locked.tsx'
import { Rail } from './parts/rail.tsx'
import type { Actions } from './state/actions.ts'
import { type Address, toHash } from './state/address.ts'
import { type ConsoleState, isTemplate, type Store } from './state/console-state.ts'
import { useAddress } from './state/use-address.ts'
import type { WorldView } from './state/world-view.ts'
import { Animals } from './views/animals.tsx'
import { Assumptions } from './views/assumptions.tsx'
import { Faults } from './views/faults.tsx'
import { Interface } from './views/interface.tsx'
import { Scenarios } from './views/scenarios.tsx'
import { Traffic } from './views/traffic.tsx'
import type { ViewProps } from './views/view.ts'

interface View {
  readonly id: IconName
  readonly label: string
  readonly component: ComponentType<ViewProps>
  /** Whether it only affects requests, and so is pointless in a world that no valid one reaches. */
  readonly isForRequests: boolean
  count(world: WorldView): number | undefined
}

const VIEWS: readonly View[] = [
  { id: 'animals', label: 'Animals', component: Animals, isForRequests: false, count: ({ animals }) => animals.total },
  { id: 'traffic', label: 'Traffic', component: Traffic, isForRequests: false, count: ({ entries }) => entries.length },
  { id: 'scenarios', label: 'Scenarios', component: Scenarios, isForRequests: false, count: () => undefined },
  { id: 'faults', label: 'Faults and clock', component: Faults, isForRequests: true, count: ({ faults }) => countActive(faults) },
  {
    id: 'assumptions',
    label: 'Assumptions',
    component: Assumptions,
    isForRequests: true,
    count: ({ assumptions }) => toChanged(assumptions),
  },
  { id: 'interface', label: 'API', component: Interface, isForRequests: false, count: () => undefined },
]

export function App({ store, actions }: { store: Store; actions: Actions }) {
  const state = useStore(store)
  // A step leads to the world that it names, and the address follows whatever world is shown: never the other way round on a change
  // of either, or two changes at once would chase each other.
  const navigation = useAddress(toViewId, ({ query }) => {
    if (query.sandbox !== store.get().sandbox) actions.look(query.sandbox)
  })
  const { address, adjust } = navigation
  /** The last address of each view. */
  const places = useRef<Record<string, Address>>({})
  const main = useRef<HTMLElement>(null)
  const { connection, world } = state
  const current = VIEWS.find(({ id }) => id === address.view) as View
  places.current[current.id] = address
  const link = (view: string, part = '', query = {}) => toHash({ view, part, query: withSandbox(query, state.sandbox) })
  useFocusOn(main, current.id, address.part, world !== undefined)
  useEffect(() => {
    adjust(({ query }) => (query.sandbox === state.sandbox ? {} : { part: '', query: withSandbox(query, state.sandbox) }))
  }, [state.sandbox])
  useEffect(() => {
    document.title = `${current.label} · Animal Store mock`
  }, [current])
  const skip = (event: Event) => {
    event.preventDefault()
    main.current?.querySelector<HTMLElement>('section:not([hidden]) h1')?.focus()
  }
  const loadFile = (file: File) => {
    navigation.go({ view: 'scenarios', part: '' })
    void actions.loadFile(file)
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it goes where it says; the address stays the view's */}
      <a class="skip" href="#main" onClick={skip}>
        Skip to content
      </a>
      <Rail
        state={state}
        actions={actions}
        items={VIEWS.map((one) => ({
          ...one,
          icon: one.id,
          href: link(one.id, '', places.current[one.id]?.query),
          count: toCount(one, world),
        }))}
        current={current.id}
      />
      <main ref={main} id="main">
        {connection.kind === 'locked' ? (
          <section>
            <Locked refused={connection.refused} onUnlock={actions.unlock} />
          </section>
        ) : world === undefined ? (
          <section class="empty">{connection.kind === 'waiting' ? 'No mock is running at this address.' : 'Loading…'}</section>
        ) : (
          <>
            {isTemplate(state) && current.id !== 'traffic' && <TemplateNote name={world.name} />}
            {isUnused(state) && (
              <p class="note" role="note">
                This key has no sandbox yet: it would start as shown here, with its first request or change.
              </p>
            )}
            {VIEWS.map(({ id, component: Component, isForRequests }) => (
              <Kept key={`${state.sandbox} ${id}`} isShown={id === current.id} isOff={isForRequests && isTemplate(state)}>
                {() => (
                  <Component
                    {...{ state, world, actions, link, ...navigation }}
                    address={id === current.id ? address : { view: id, part: '', query: places.current[id]?.query ?? {} }}
                  />
                )}
              </Kept>
            ))}
          </>
        )}
      </main>
      <DropTarget onFile={loadFile} />
      <Foot state={state} actions={actions} />
    </>
  )
}

/** The view that an address names; the first one if it names none. */
function toViewId(name: string): string {
  return (VIEWS.find(({ id }) => id === name) ?? (VIEWS[0] as View)).id
}

/** Whether the address names a key that has no sandbox. */
function isUnused({ hasSandboxes, sandbox, sandboxes }: ConsoleState): boolean {
  return hasSandboxes && sandbox !== undefined && !sandboxes.includes(sandbox)
}

function TemplateNote({ name }: { name: string }) {
  return (
    <p class="note" role="note">
      Every API key has its own sandbox, and new sandboxes start from <strong>{name}</strong>, which is shown here. Only requests without a
      valid key reach it. Load another scenario for sandboxes to come, or choose a sandbox to see its animals and to set its faults, clock
      and assumptions.
    </p>
  )
}

/** Keeps the state of a hidden view without rendering it. */
function Kept({ isShown, isOff, children }: { isShown: boolean; isOff: boolean; children: () => ComponentChildren }) {
  const last = useRef<ComponentChildren>(null)
  const wasShown = useRef(false)
  // Rendered once more when it is hidden, so that nothing stays open in it.
  if (isShown || wasShown.current) last.current = children()
  wasShown.current = isShown
  return (
    <section class="view" hidden={!isShown} inert={isOff}>
      {last.current}
    </section>
  )
}

/** A query about the world of that key. */
function withSandbox({ sandbox: _, ...query }: Readonly<Record<string, string>>, sandbox: string | undefined): Record<string, string> {
  return sandbox === undefined ? query : { ...query, sandbox }
}

function toCount({ count }: View, world: WorldView | undefined): string {
  const number = world && count(world)
  return number === undefined ? '' : number.toLocaleString('en')
}

/** How many faults can still strike. */
function countActive(faults: WorldView['faults']): number {
  return faults.filter((fault) => !isUsedUp(fault)).length
}

/** How many choices differ from their defaults; undefined if none does. */
function toChanged(assumptions: WorldView['assumptions']): number | undefined {
  return assumptions.filter(({ choice, default: usual }) => choice !== usual).length || undefined
}

function useStore(store: Store): ConsoleState {
  const [state, setState] = useState(store.get)
  useEffect(() => {
    const update = () => setState(store.get())
    update()
    return store.subscribe(update)
  }, [store])
  return state
}

/** Takes the focus along to where the address leads: to a thing in the view, or to the heading of another view. */
function useFocusOn(main: { readonly current: HTMLElement | null }, view: string, part: string, isLoaded: boolean): void {
  const previous = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (!isLoaded) return
    const isOther = previous.current !== undefined && previous.current !== view
    previous.current = view
    const place = part === '' ? null : document.getElementById(`${view}-${part}`)
    if (place) {
      place.scrollIntoView()
      // The body comes first: a request that has one is mostly that.
      const field = place.querySelector<HTMLElement>('textarea') ?? place.querySelector<HTMLElement>('input, button')
      field?.focus({ preventScroll: true })
    } else if (isOther) {
      scrollTo(0, 0)
      main.current?.querySelector<HTMLElement>('section:not([hidden]) h1')?.focus({ preventScroll: true })
    }
  }, [view, part, isLoaded])
}
