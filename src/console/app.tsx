// The page as a whole: the rail, the view that the address names, and what lies over them.
import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { DropTarget } from './parts/drop-target.tsx'
import { Foot } from './parts/foot.tsx'
import type { IconName } from './parts/icon.tsx'
import { Locked } from './parts/locked.tsx'
import { Rail } from './parts/rail.tsx'
import type { Actions } from './state/actions.ts'
import type { ConsoleState, Store } from './state/console-state.ts'
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
  count(world: WorldView): number | undefined
}

const VIEWS: readonly View[] = [
  { id: 'animals', label: 'Animals', component: Animals, count: ({ pets }) => pets.length },
  { id: 'traffic', label: 'Traffic', component: Traffic, count: ({ entries }) => entries.length },
  { id: 'scenarios', label: 'Scenarios', component: Scenarios, count: () => undefined },
  { id: 'faults', label: 'Faults and clock', component: Faults, count: ({ faults }) => faults.length },
  { id: 'assumptions', label: 'Assumptions', component: Assumptions, count: ({ assumptions }) => toChanged(assumptions) },
  { id: 'interface', label: 'API', component: Interface, count: () => undefined },
]

export function App({ store, actions }: { store: Store; actions: Actions }) {
  const state = useStore(store)
  const { view, part } = useAddress()
  const main = useRef<HTMLElement>(null)
  const { connection, world } = state
  const current = VIEWS.find(({ id }) => id === view) ?? (VIEWS[0] as View)
  useFocusOn(main, current.id, part)
  useEffect(() => {
    document.title = `${current.label} · Animal Store mock`
  }, [current])
  const skip = (event: Event) => {
    event.preventDefault()
    main.current?.querySelector<HTMLElement>('section:not([hidden]) h1')?.focus()
  }
  const loadFile = (file: File) => {
    location.hash = '#/scenarios'
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
        items={VIEWS.map((one) => ({ ...one, icon: one.id, count: toCount(one, world) }))}
        current={current.id}
      />
      <main ref={main} id="main">
        {connection.kind === 'locked' ? (
          <section>
            <Locked isWrong={connection.isWrong} onUnlock={actions.unlock} />
          </section>
        ) : world === undefined ? (
          <section class="empty">{connection.kind === 'waiting' ? 'No mock is running at this address.' : 'Loading…'}</section>
        ) : (
          VIEWS.map(({ id, component: Component }) => (
            <Kept key={`${state.sandbox} ${id}`} isShown={id === current.id}>
              {() => <Component state={state} world={world} actions={actions} />}
            </Kept>
          ))
        )}
      </main>
      <DropTarget onFile={loadFile} />
      <Foot state={state} actions={actions} />
    </>
  )
}

/** A view that keeps what was typed and chosen in it while another one is shown, and costs nothing meanwhile. */
function Kept({ isShown, children }: { isShown: boolean; children: () => ComponentChildren }) {
  const last = useRef<ComponentChildren>(null)
  if (isShown) last.current = children()
  return (
    <section class="view" hidden={!isShown}>
      {last.current}
    </section>
  )
}

function toCount({ count }: View, world: WorldView | undefined): string {
  const number = world && count(world)
  return number === undefined ? '' : number.toLocaleString('en')
}

/** How many choices are not the usual ones; nothing if all are. */
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

/** The view that the address names, and the part of it, as in `#/interface/createPet`. */
function useAddress(): { view: string; part: string } {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const update = () => setHash(location.hash)
    addEventListener('hashchange', update)
    return () => removeEventListener('hashchange', update)
  }, [])
  const [, view = '', part = ''] = hash.split('/')
  return { view, part }
}

/** Takes the focus along to the view that was gone to, as a fresh page would. */
function useFocusOn(main: { readonly current: HTMLElement | null }, view: string, part: string): void {
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    const place = part === '' ? null : document.getElementById(`operation-${part}`)
    scrollTo(0, 0)
    if (place) {
      place.scrollIntoView()
      place.querySelector<HTMLElement>('input, textarea')?.focus({ preventScroll: true })
    } else main.current?.querySelector<HTMLElement>('section:not([hidden]) h1')?.focus({ preventScroll: true })
  }, [view, part])
}
