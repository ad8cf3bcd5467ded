// The console inside an app's page, where MSW or a fetch answers and there is no server. One element in the page holds a button and a drawer;
// the console itself runs in a frame, so that no style, key or script of the page and the console meet.
import type { Transport } from '../client/client.ts'
import { createLocalFetch } from '../client/local-fetch.ts'
import { createControlApi } from '../control/control-api.ts'
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
.drawer { position: fixed; inset: auto 0 0; z-index: 2147483647; display: grid; grid-template-rows: 8px 32px minmax(0, 1fr); background: light-dark(#fff, #16191b); box-shadow: 0 -6px 30px rgb(0 0 0 / .25) }
.edge { cursor: ns-resize; background: light-dark(#e7e5df, #262a2e); touch-action: none }
.tools { display: flex; gap: 6px; justify-content: end; padding: 2px 8px }
iframe { width: 100%; height: 100%; border: 0 }
.moving iframe { pointer-events: none }
[hidden] { display: none !important }`

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
  const opener = createButton('Animal Store mock', 'open', () => show(true))
  const drawer = document.createElement('div')
  const edge = document.createElement('div')
  const tools = document.createElement('div')
  let frame: HTMLIFrameElement | undefined
  let popup: Window | null = null

  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]
  drawer.className = 'drawer'
  drawer.hidden = true
  tools.className = 'tools'
  tools.append(
    createButton('Open in a window', '', detach),
    createButton('Close', '', () => show(false)),
  )
  drawer.append(edge, tools)
  makeResizable(edge, drawer)
  root.append(opener, drawer)
  document.documentElement.append(host)
  return () => {
    popup?.close()
    host.remove()
  }

  /** The frame is made when it is first shown, and gone when the drawer closes. */
  function show(isOpen: boolean): void {
    drawer.hidden = !isOpen
    opener.hidden = isOpen
    frame?.remove()
    frame = isOpen ? document.createElement('iframe') : undefined
    if (!frame) return void opener.focus()
    frame.title = 'Animal Store mock'
    void fill(frame)
  }

  async function fill(target: HTMLIFrameElement): Promise<void> {
    const { page, start } = await loadPage(transport)
    target.onload = () => target.contentWindow && start(target.contentWindow)
    target.srcdoc = page('about:srcdoc')
    drawer.append(target)
  }

  /** The window closes with the app, and the drawer opens again when the window closes or is loaded again. */
  async function detach(): Promise<void> {
    popup = window.open('', '', 'popup,width=1200,height=760')
    if (!popup) return
    const opened = popup
    const { page, start } = await loadPage(transport)
    const address = URL.createObjectURL(new Blob([page('')], { type: 'text/html' }))
    opened.location.replace(address)
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (opened.closed || opened.document.querySelector('base, link[rel=icon]')) resolve(clearInterval(timer))
      }, 50)
    })
    URL.revokeObjectURL(address)
    if (opened.closed) return
    start(opened)
    show(false)
    addEventListener('pagehide', () => opened.close())
    opened.addEventListener('pagehide', () => {
      opened.close()
      if (host.isConnected) show(true)
    })
  }
}

/** The page of the console for a frame or a window, and what starts its script there. Loaded when it is first needed. */
async function loadPage(transport: Transport) {
  const { files } = await import('../generated/console.ts')
  const nonce = crypto.randomUUID()
  const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY(nonce)}">`
  return {
    page: (base: string) =>
      files['/'].body
        .replace(/<link rel="stylesheet".*>/, base && `<base href="${base}">`)
        .replace(/<script.*<\/script>/, '')
        .replace('<head>', `<head>${policy}`),
    start(target: Window): void {
      const { document: inside } = target
      const style = inside.createElement('style')
      const script = inside.createElement('script')
      style.nonce = nonce
      style.textContent = files['/console.css'].body
      script.nonce = nonce
      script.type = 'module'
      script.textContent = files['/console.js'].body
      Object.assign(target, { animalStoreMock: transport })
      inside.head.append(style, script)
    },
  }
}

function createButton(text: string, className: string, onClick: () => unknown): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = className
  button.textContent = text
  button.addEventListener('click', onClick)
  return button
}

/** By dragging its edge, or by the arrow keys on it. */
function makeResizable(edge: HTMLElement, drawer: HTMLElement): void {
  const resize = (height: number) => {
    const fitting = Math.max(LEAST_PX, Math.min(height, innerHeight - STEP_PX))
    drawer.style.height = `${fitting}px`
    edge.setAttribute('aria-valuenow', String(Math.round((100 * fitting) / innerHeight)))
  }
  edge.className = 'edge'
  edge.tabIndex = 0
  edge.setAttribute('role', 'separator')
  edge.setAttribute('aria-label', 'Height of the console')
  edge.setAttribute('aria-orientation', 'horizontal')
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
