// The button and the drawer in the page: their elements and their look.

const TAG = 'animal-store-console'
/**
 * Its colours are those of `console/styles/1-base.css`, which is not loaded before the drawer
 * opens.
 */
const STYLE = `
* { --panel: light-dark(#fff, #16191b); --accent: light-dark(#0c6b5f, #5fcab9); --edge: #8b887f }
:host { all: initial; color-scheme: light dark; font: 13px system-ui, sans-serif }
button, .drawer { position: fixed; z-index: 2147483647; background: var(--panel) }
button { display: flex; align-items: center; gap: 7px; padding: 6px 12px;
  border: 1px solid var(--edge); border-radius: 99px;
  box-shadow: 0 4px 16px rgb(0 0 0 / .2); color: light-dark(#17181a, #ececea);
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
.edge::after { content: ""; display: block; width: 36px; height: 3px; margin: 2px auto;
  border-radius: 2px; background: var(--edge) }
.right .edge { cursor: ew-resize }
.right .edge::after { width: 3px; height: 36px; margin: 48vh auto }
.edge:hover { background: var(--accent) }
iframe { width: 100%; height: 100%; border: 0 }
.edge:active + iframe { pointer-events: none }
[hidden] { display: none !important }`
const PARTS = `
<button type="button">Animal Store mock
<span class="active"></span><span class="failures" role="img"></span></button>
<div class="drawer" hidden>
<div class="edge" tabindex="0" role="separator" aria-label="Size of the console"></div></div>`

export type Parts = ReturnType<typeof addParts>

/** The button and an empty drawer. A module that is loaded again replaces what it added. */
export function addParts() {
  for (const old of document.querySelectorAll(TAG)) old.dispatchEvent(new Event('replace'))
  const host = document.createElement(TAG)
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]
  root.innerHTML = PARTS
  document.documentElement.append(host)
  const find = (selector: string) => root.querySelector(selector) as HTMLElement
  return {
    host,
    opener: find('button'),
    active: find('.active'),
    failures: find('.failures'),
    drawer: find('.drawer'),
    edge: find('.edge'),
  }
}
