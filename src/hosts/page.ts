// The console inside an app's page, where MSW or a fetch answers and there is no server. One element in the page holds a button and a drawer;
// the console itself runs in a frame, so that no style, key or script of the page and the console meet.
import type { Transport } from '../client/client.ts'
import { createLocalFetch } from '../client/local-fetch.ts'
import { createControlApi } from '../control/api.ts'
import { contract } from '../generated/contract.ts'
import { checkMock } from '../mock/fetch.ts'
import type { Mock } from '../mock/mock.ts'
import { readOptions, stringLike } from '../mock/options.ts'

/** How to open the console. */
export interface ConsoleOptions {
  /** The address that the app calls, version segment included, for the requests that you copy; by default that of the page. */
  readonly baseUrl?: string
}

const TAG = 'animal-store-console'
const STEP_PX = 24
const LEAST_PX = 160
/** The frame runs this package's script, and talks to nothing but the mock in the page. */
const POLICY = (nonce: string) =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:; base-uri about:; form-action 'none'`
const STYLE = `
:host { all: initial; color-scheme: light dark; font: 13px system-ui, sans-serif }
button { padding: 4px 10px; border: 1px solid #8b887f; border-radius: 7px; background: light-dark(#fff, #16191b); color: light-dark(#17181a, #ececea); font: inherit; cursor: pointer }
button:hover { background: light-dark(#f2f1ed, #1d2124) }
:focus-visible { outline: 2px solid light-dark(#0c6b5f, #5fcab9); outline-offset: 1px }
.open { position: fixed; right: 12px; bottom: 12px; z-index: 2147483647; padding: 6px 12px; border-radius: 99px; box-shadow: 0 4px 16px rgb(0 0 0 / .2) }
.drawer { position: fixed; inset: auto 0 0; z-index: 2147483647; display: grid; grid-template-rows: 8px minmax(0, 1fr); background: light-dark(#fff, #16191b); box-shadow: 0 -6px 30px rgb(0 0 0 / .25) }
.edge { cursor: ns-resize; background: light-dark(#e7e5df, #262a2e); touch-action: none }
.tools { position: absolute; top: 16px; right: 12px; display: flex; gap: 6px }
iframe { width: 100%; height: 100%; border: 0 }
.moving iframe { pointer-events: none }
[hidden] { display: none !important }`
/** Leaves room for the buttons of the drawer, which lie on the frame. */
const FRAME_STYLE = '.head { padding-right: 100px } @media (max-width: 700px) { .pane-head { padding-right: 100px } }'
const PARTS = `
<button type="button" class="open">Animal Store mock</button>
<div class="drawer" hidden>
  <div class="edge" tabindex="0" role="separator" aria-label="Height of the console" aria-orientation="horizontal"></div>
  <div class="tools">
    <button type="button" class="detach" aria-label="Open in a window" title="Open in a window">↗</button>
    <button type="button" class="close" aria-label="Close" title="Close">✕</button>
  </div>
</div>`

/**
 * Adds a button to the page that opens the console of a mock in the page, and returns a function that removes it.
 *
 * @example
 * if (import.meta.env.DEV) (await import('animal-store-mock/console')).openConsole(mock)
 */
export function openConsole(mock: Mock, options: ConsoleOptions = {}): () => void {
  checkMock('openConsole', mock)
  const { baseUrl = location.origin + contract.basePath } = readOptions<ConsoleOptions>(
    'openConsole',
    { baseUrl: stringLike('https://api.example.com/v1') },
    options,
  )
  const { answer } = createControlApi(mock.control, { isOn: true, token: undefined })
  const transport: Transport = { baseUrl: baseUrl.replace(/\/+$/, ''), service: mock.fetch, control: createLocalFetch(answer) }
  // A module that is loaded again replaces what it added.
  for (const old of document.querySelectorAll(TAG)) old.remove()
  const host = document.createElement(TAG)
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]
  root.innerHTML = PARTS
  const find = (selector: string) => root.querySelector(selector) as HTMLElement
  const [opener, drawer] = [find('.open'), find('.drawer')]
  let frame: HTMLIFrameElement | undefined
  let popup: Window | null = null

  opener.onclick = () => show(true)
  find('.close').onclick = () => show(false)
  find('.detach').onclick = detach
  makeResizable(find('.edge'), drawer)
  document.documentElement.append(host)
  return () => {
    popup?.close()
    host.remove()
  }

  /** The frame is made when it is first shown, and gone when the drawer closes. */
  async function show(isOpen: boolean): Promise<void> {
    drawer.hidden = !isOpen
    opener.hidden = isOpen
    frame?.remove()
    frame = undefined
    if (!isOpen) return opener.focus()
    const { page, start } = await loadPage(transport)
    // You may have closed it meanwhile.
    if (drawer.hidden) return
    frame = document.createElement('iframe')
    frame.title = 'Animal Store mock'
    // A link to a fragment would otherwise load the app's page into the frame.
    frame.srcdoc = page.replace('<head>', '<head><base href="about:srcdoc">')
    frame.onload = ({ target }) => start((target as HTMLIFrameElement).contentWindow as Window, FRAME_STYLE)
    drawer.append(frame)
  }

  /** The window closes with the app, and the drawer opens again when the window closes or is loaded again. */
  async function detach(): Promise<void> {
    const opened = window.open('', '', 'popup,width=1200,height=760')
    popup = opened
    if (!opened) return
    const { page, start } = await loadPage(transport)
    opened.document.write(page)
    opened.document.close()
    start(opened)
    void show(false)
    addEventListener('pagehide', () => opened.close())
    opened.addEventListener('pagehide', () => {
      opened.close()
      if (host.isConnected) void show(true)
    })
  }
}

/** The page of the console for a frame or a window, and what starts its script there. Loaded when it is first needed. */
async function loadPage(transport: Transport) {
  const { files } = await import('../generated/console.ts')
  // Unlike randomUUID, also where the page is not secure.
  const nonce = crypto.getRandomValues(new Uint32Array(4)).join('-')
  const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY(nonce)}">`
  return {
    page: files['/'].body.replace(/<link rel="stylesheet".*|<script.*/g, '').replace('<meta', `${policy}<meta`),
    start(target: Window, style = ''): void {
      const add = (tag: 'style' | 'script', text: string) => {
        const element = Object.assign(target.document.createElement(tag), { nonce, textContent: text })
        if (tag === 'script') element.setAttribute('type', 'module')
        target.document.head.append(element)
      }
      Object.assign(target, { animalStoreMock: transport })
      add('style', files['/console.css'].body + style)
      add('script', files['/console.js'].body)
    },
  }
}

/** By dragging its edge, or by the arrow keys on it. */
function makeResizable(edge: HTMLElement, drawer: HTMLElement): void {
  const resize = (height: number) => {
    const fitting = Math.max(LEAST_PX, Math.min(height, innerHeight - STEP_PX))
    drawer.style.height = `${fitting}px`
    edge.ariaValueNow = String(Math.round((100 * fitting) / innerHeight))
  }
  edge.addEventListener('keydown', (event) => {
    const step = { ArrowUp: STEP_PX, ArrowDown: -STEP_PX }[event.key]
    if (step === undefined) return
    event.preventDefault()
    resize(drawer.offsetHeight + step)
  })
  edge.addEventListener('pointerdown', ({ pointerId }) => {
    edge.setPointerCapture(pointerId)
    drawer.classList.add('moving')
  })
  edge.addEventListener('pointermove', ({ clientY }) => {
    if (drawer.classList.contains('moving')) resize(innerHeight - clientY)
  })
  edge.addEventListener('lostpointercapture', () => drawer.classList.remove('moving'))
  resize(innerHeight * 0.55)
}
