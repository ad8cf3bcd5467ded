// Where the page is: a view, one thing in it, and the view's filters, as in
// `#/timeline/12?show=5xx&sandbox=ann-key`.
import { signal } from './signal.ts'
import type { Texts } from './text.ts'

export const VIEW_IDS = ['timeline', 'animals', 'scenarios', 'faults', 'assumptions'] as const
export type ViewId = (typeof VIEW_IDS)[number]

/** The part of the address of a form for a new one. */
export const NEW = 'new'

export type Place = Readonly<{ view: ViewId; part: string; query: Texts }>

const ADDRESS = /^#?\/?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s

export function parsePlace(hash: string): Place {
  const [, name, encodedPart = '', search = ''] = ADDRESS.exec(hash) ?? []
  const view = VIEW_IDS.find((id) => id === name) ?? VIEW_IDS[0]
  // Unlike decodeURIComponent, URLSearchParams takes any text.
  const part = new URLSearchParams(`part=${encodedPart}`).get('part') ?? ''
  const query = Object.fromEntries(new URLSearchParams(search))
  return { view, part, query }
}

export function formatPlace(place: Place): string {
  const given = Object.entries(place.query).filter(([, value]) => value !== '')
  let address = `#/${place.view}`
  if (place.part !== '') address += `/${encodeURIComponent(place.part)}`
  if (given.length > 0) address += `?${new URLSearchParams(given)}`
  return address
}

export const route = signal(parsePlace(globalThis.location?.hash ?? ''))

/**
 * The key whose sandbox is shown; null for the shared state, or for all sandboxes in the timeline.
 */
export function currentSandbox(): string | null {
  return route.value.query.sandbox || null
}

/** An address in the page. The sandbox stays, unless you name one, and with it the moment. */
export function link(view: ViewId, part = '', query: Texts = {}, sandbox = currentSandbox()) {
  const kept = sandbox === currentSandbox() ? momentOf(route.value.query) : {}
  return formatPlace({ view, part, query: { ...kept, ...query, sandbox: sandbox ?? '' } })
}

/** The moment at which the page looks, as `model/moment.ts` reads it. */
function momentOf({ at = '', if: supposed = '' }: Texts): Texts {
  return { at, if: supposed }
}

/** Changes the given parts of the address, without a new entry in the history. */
export function adjust(change: Partial<Place>): void {
  const query = { ...route.value.query, ...change.query }
  history.replaceState(null, '', formatPlace({ ...route.value, ...change, query }))
  route.value = parsePlace(location.hash)
}

export function leaveRow(): void {
  adjust({ part: '', query: { compare: '' } })
}

/**
 * Goes to an address. In a frame it replaces the current one: the Back button there belongs to the
 * app.
 */
export function go(address: string): void {
  if (parent === window) location.hash = address
  else location.replace(address)
}

export function followAddress(): void {
  addEventListener('hashchange', readAddress)
  addEventListener('click', (event) => {
    const anchor = (event.target as Element).closest('a[href^="#"]')
    const address = anchor?.getAttribute('href')
    if (!address || parent === window) return
    event.preventDefault()
    go(address)
  })
  readAddress()
}

function readAddress(): void {
  route.value = parsePlace(location.hash)
  // Corrects what is not an address of the page.
  adjust({})
}
