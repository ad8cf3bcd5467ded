// The console in an app's page, without a server: a button and a drawer. A frame keeps styles, keys
// and scripts apart.

import { readOptions } from '../contract/options.ts'
import { count } from '../contract/problem.ts'
import { createControlApi } from '../control/api/api.ts'
import type { Transport } from '../control/client/client.ts'
import { isFailure } from '../control/text/rows.ts'
import { type BaseUrl, baseUrlSchema, findApiUrl, parseBaseUrl } from '../mock/base-address.ts'
import type { Mock } from '../mock/mock.ts'
import { checkMock } from '../mock/respond.ts'
import { isUsedUp } from '../world/fault-outcome.ts'
import { createLocalFetch } from './local-fetch.ts'

/** How to open the console. */
export interface ConsoleOptions {
  /**
   * The address that the app calls, version segment included, for the requests that you copy.
   * @default that of the page
   */
  readonly baseUrl?: BaseUrl | undefined
}

type Side = 'bottom' | 'right'
/**
 * What a reload does not lose: the drawer's share of the window on each side, where the button is.
 */
type Kept = { isOpen: boolean; side: Side; hash: string } & Record<Side | 'x' | 'y', number>

const TAG = 'animal-store-console'
const KEPT = 'animal-store-mock.drawer'
const [LEAST, MOST] = [0.2, 0.95]
const STEPS = {
  ArrowUp: 0.03,
  ArrowLeft: 0.03,
  ArrowDown: -0.03,
  ArrowRight: -0.03,
  Home: -1,
  End: 1,
}
const [LEAST_PX, APP_PX, DRAG_PX] = [428, 320, 4]
/** In a narrower window the drawer is at the bottom, wherever you put it. */
const NARROW_PX = LEAST_PX + APP_PX
const OTHER_SIDE = { bottom: 'right', right: 'bottom' } as const
/**
 * Its colours are those of `console/styles/1-base.css`, which is not loaded before the drawer
 * opens.
 */
const STYLE = `
* { --panel: light-dark(#fff, #16191b); --accent: light-dark(#0c6b5f, #5fcab9); --edge: #8b887f }
:host { all: initial; color-scheme: light dark; font: 13px system-ui, sans-serif }
button, .drawer { position: fixed; z-index: 2147483647; background: var(--panel) }
button { display: flex; align-items: center; gap: 7px; padding: 6px 12px; border: 1px solid var(--edge);
  border-radius: 99px; box-shadow: 0 4px 16px rgb(0 0 0 / .2); color: light-dark(#17181a, #ececea);
  font: inherit; cursor: pointer; touch-action: none }
button:hover { background: light-dark(#f2f1ed, #1d2124) }
.active { color: light-dark(#855000, #f0be68) }
span:empty { display: none }
.failures { color: light-dark(#b3241b, #ff8f85); font-weight: 600 }
.failures:not(:empty)::before { content: "● " }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
.drawer { inset: auto 0 0; display: grid; grid-template: 7px minmax(0, 1fr) / minmax(0, 1fr);
  box-shadow: 0 0 24px rgb(0 0 0 / .22) }
.right { inset: 0 0 0 auto; grid-template: minmax(0, 1fr) / 7px minmax(0, 1fr) }
.edge { cursor: ns-resize; background: light-dark(#e7e5df, #262a2e); touch-action: none }
.edge::after { content: ""; display: block; width: 36px; height: 3px; margin: 2px auto; border-radius: 2px;
  background: var(--edge) }
.right .edge { cursor: ew-resize }
.right .edge::after { width: 3px; height: 36px; margin: 48vh auto }
.edge:hover { background: var(--accent) }
iframe { width: 100%; height: 100%; border: 0 }
.edge:active + iframe { pointer-events: none }
[hidden] { display: none !important }`
const PARTS = `
<button type="button">Animal Store mock <span class="active"></span><span class="failures" role="img"></span></button>
<div class="drawer" hidden>
<div class="edge" tabindex="0" role="separator" aria-label="Size of the console"></div></div>`

/**
 * Adds a button to the page that opens the console of a mock in the page, and returns a function
 * that removes it.
 *
 * @example
 * if (import.meta.env.DEV) (await import('animal-store-mock/console')).openConsole(mock)
 */
export function openConsole(mock: Mock, options: ConsoleOptions = {}): () => void {
  checkMock('openConsole', mock)
  const { baseUrl } = readOptions<ConsoleOptions>('openConsole', baseUrlSchema, options)
  parseBaseUrl(baseUrl)
  const { answer } = createControlApi(mock.control, { isOn: true, token: undefined })
  const target = () => (innerWidth < NARROW_PX ? undefined : OTHER_SIDE[kept.side])
  const sideNow = () => (target() ? kept.side : 'bottom')
  const ended = new AbortController()
  const transport: Transport = {
    baseUrl: findApiUrl(baseUrl),
    service: mock.fetch,
    control: createLocalFetch(answer),
    drawer: {
      close: () => show(false),
      move: () => place({ side: target() ?? kept.side }),
      target,
    },
  }
  const { host, opener, active, failures, drawer, edge } = addParts()
  const kept = recall()
  let frame: HTMLIFrameElement | undefined
  let focused: Element | null = null
  makeMovable(opener, kept, place, () => show(true))
  const unsubscribe = mock.control.subscribe((event) => {
    showActive()
    const isNews = event.type === 'request' && !kept.isOpen && isFailure(event.row)
    if (isNews) countFailures(failures, Number(failures.textContent) + 1)
  })
  makeResizable(edge, drawer, (share) => place({ [sideNow()]: share }))
  edge.addEventListener('keydown', ({ key }) => void (key === 'Escape' && show(false)))
  host.addEventListener('replace', remove)
  addEventListener('pagehide', remember, ended)
  addEventListener('resize', () => place({}), ended)
  place({})
  showActive()
  // The focus stays with the app after a reload.
  if (kept.isOpen) void show(true, false)
  return remove

  function showActive(): void {
    const faults = mock.control.faults.list().filter((fault) => !isUsedUp(fault)).length
    const isLate = mock.control.latency.get() !== null
    active.textContent = [faults > 0 && count(faults, 'fault'), isLate && 'latency']
      .filter(Boolean)
      .join(', ')
  }

  function remove(): void {
    unsubscribe()
    ended.abort()
    push('bottom', '')
    host.remove()
  }

  async function show(isOpen: boolean, takesFocus = true): Promise<void> {
    if (isOpen && takesFocus)
      focused = document.activeElement === host ? null : document.activeElement
    remember()
    // You come to see what failed, not what you left open.
    if (failures.textContent) {
      kept.hash = '#/timeline'
      frame?.contentWindow?.location.replace(`about:srcdoc${kept.hash}`)
    }
    drawer.hidden = !isOpen
    opener.hidden = isOpen
    countFailures(failures, 0)
    place({ isOpen })
    if (!isOpen) {
      const back =
        focused instanceof HTMLElement && focused !== document.body && focused.isConnected
          ? focused
          : opener
      return back.focus()
    }
    // What was typed stays in it while it is hidden.
    if (frame) return frame.contentWindow?.focus()
    const made = await createFrame(transport, kept.hash, takesFocus)
    if (drawer.hidden || frame) return
    frame = made
    drawer.append(made)
  }

  function place(change: Partial<Kept>): void {
    const { isOpen } = Object.assign(kept, change)
    const side = sideNow()
    const isRight = side === 'right'
    const percent = Math.round(100 * kept[side])
    const size = isRight
      ? `clamp(${LEAST_PX}px, ${percent}vw, 100vw - ${APP_PX}px)`
      : `${percent}vh`
    drawer.classList.toggle('right', isRight)
    Object.assign(drawer.style, isRight ? { width: size, height: '' } : { width: '', height: size })
    opener.style.inset = `auto min(${kept.x}px, 100vw - 180px) min(${kept.y}px, 100vh - 32px) auto`
    edge.ariaValueNow = String(percent)
    edge.ariaOrientation = isRight ? 'vertical' : 'horizontal'
    push(side, isOpen ? size : '')
    remember()
  }

  function remember(): void {
    kept.hash = frame?.contentWindow?.location.hash || kept.hash
    try {
      localStorage.setItem(KEPT, JSON.stringify(kept))
    } catch {
      // The page may forbid storage.
    }
  }
}

function recall(): Kept {
  // On a telephone, a response and its alternative need more than half of the height to be seen
  // together.
  const bottom = innerWidth < NARROW_PX ? 0.7 : 0.5
  const usual: Kept = { isOpen: false, side: 'bottom', bottom, right: 0.4, x: 12, y: 12, hash: '' }
  try {
    const kept = { ...usual, ...JSON.parse(localStorage.getItem(KEPT) ?? '{}') }
    // A reload makes a new mock, with other rows.
    return { ...kept, hash: kept.hash.replace(/^#\/timeline(?:\/(?!new)|.*\bcompare=).*/, '') }
  } catch {
    return usual
  }
}

function countFailures(failures: HTMLElement, amount: number): void {
  failures.textContent = String(amount || '')
  failures.title = amount === 0 ? '' : `${amount} failed`
  failures.ariaLabel = failures.title || null
}

/** An app of the height 100 % gives room too, because its padding is a part of it. */
function push(side: Side, size: string): void {
  const [paddingBottom, paddingRight] = side === 'bottom' ? [size, ''] : ['', size]
  Object.assign(document.documentElement.style, {
    boxSizing: size && 'border-box',
    paddingBottom,
    paddingRight,
  })
}

/** The button and an empty drawer. A module that is loaded again replaces what it added. */
function addParts() {
  for (const old of document.querySelectorAll(TAG)) old.dispatchEvent(new Event('replace'))
  const host = document.createElement(TAG)
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]
  root.innerHTML = PARTS
  document.documentElement.append(host)
  const get = (selector: string) => root.querySelector(selector) as HTMLElement
  const button = { opener: get('button'), active: get('.active'), failures: get('.failures') }
  return { host, ...button, drawer: get('.drawer'), edge: get('.edge') }
}

/** The console, which runs this package's script and talks to nothing but the mock in the page. */
async function createFrame(
  transport: Transport,
  hash: string,
  takesFocus: boolean,
): Promise<HTMLIFrameElement> {
  const { files } = await import('./generated/console.ts')
  // Unlike randomUUID, this also works in a page that is not secure.
  const nonce = crypto.getRandomValues(new Uint32Array(4)).join('-')
  const own = `script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:`
  const policy = `default-src 'none'; ${own}; base-uri about:; form-action 'none'`
  // Without the base, a link to a fragment would load the app's page into the frame.
  const head = `<head><base href="about:srcdoc"><meta http-equiv="Content-Security-Policy" content="${policy}">`
  const frame = document.createElement('iframe')
  frame.title = 'Animal Store mock'
  frame.srcdoc = files['/'].body
    .replace(/<link rel="stylesheet".*|<script.*/g, '')
    .replace('<head>', head)
  frame.onload = () => {
    const target = frame.contentWindow as Window
    const add = (tag: 'style' | 'script', parts: object) =>
      target.document.head.append(
        Object.assign(target.document.createElement(tag), { nonce, ...parts }),
      )
    // A fragment alone would be one of the app's page, and load that into the frame.
    if (hash && !target.location.hash) target.location.replace(`about:srcdoc${hash}`)
    Object.assign(target, { animalStoreMock: transport })
    add('style', { textContent: files['/console.css'].body })
    add('script', { textContent: files['/console.js'].body, type: 'module' })
    if (takesFocus) target.focus()
  }
  return frame
}

function makeMovable(
  opener: HTMLElement,
  kept: Kept,
  onMove: (change: Partial<Kept>) => void,
  onClick: () => void,
) {
  let [startX, startY, isDragged] = [0, 0, false]
  opener.addEventListener('pointerdown', (event) => {
    opener.setPointerCapture(event.pointerId)
    ;[startX, startY, isDragged] = [kept.x + event.clientX, kept.y + event.clientY, false]
  })
  opener.addEventListener('pointermove', ({ buttons, clientX, clientY }) => {
    const x = Math.max(0, Math.min(startX - clientX, innerWidth - opener.offsetWidth))
    const y = Math.max(0, Math.min(startY - clientY, innerHeight - opener.offsetHeight))
    if (buttons === 0 || Math.hypot(x - kept.x, y - kept.y) < DRAG_PX) return
    isDragged = true
    onMove({ x, y })
  })
  opener.addEventListener('click', ({ detail }) => (isDragged && detail > 0) || onClick())
}

function makeResizable(
  edge: HTMLElement,
  drawer: HTMLElement,
  onResize: (share: number) => void,
): void {
  const isRight = () => drawer.classList.contains('right')
  const resize = (share: number) => {
    const [least, most] = isRight()
      ? [LEAST_PX / innerWidth, 1 - APP_PX / innerWidth]
      : [LEAST, MOST]
    onResize(Math.max(least, Math.min(share, most)))
  }
  edge.addEventListener('keydown', (event) => {
    const by = STEPS[event.key as keyof typeof STEPS] as number | undefined
    if (by === undefined) return
    event.preventDefault()
    resize(Number(edge.ariaValueNow) / 100 + by)
  })
  // The focus stays where it is.
  edge.addEventListener('mousedown', (event) => event.preventDefault())
  edge.addEventListener('pointerdown', ({ pointerId }) => edge.setPointerCapture(pointerId))
  edge.addEventListener('pointermove', ({ pointerId, clientX, clientY }) => {
    if (edge.hasPointerCapture(pointerId))
      resize(isRight() ? 1 - clientX / innerWidth : 1 - clientY / innerHeight)
  })
}
