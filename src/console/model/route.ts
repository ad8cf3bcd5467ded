// Where the page is: a view, one thing in it, and the view's filters, as in
// `#/timeline/12?show=5xx&sandbox=ann-key`.
import { signal } from './signal.ts'
import type { Texts } from './text.ts'

const VIEWS = ['timeline', 'animals', 'scenarios', 'faults', 'assumptions'] as const
export type ViewId = (typeof VIEWS)[number]

/** The part of the address of a form for a new one. */
export const NEW = 'new'

export type Place = Readonly<{ view: ViewId; part: string; query: Texts }>

export function parsePlace(hash: string): Place {
  const [, view, part = '', query = ''] =
    /^#?\/?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(hash) ?? []
  return {
    view: VIEWS.find((id) => id === view) ?? VIEWS[0],
    // Unlike decodeURIComponent, it takes any text.
    part: new URLSearchParams(`part=${part}`).get('part') ?? '',
    query: Object.fromEntries(new URLSearchParams(query)),
  }
}

export function formatPlace({ view, part, query }: Place): string {
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''))
  return `#/${view}${part === '' ? '' : `/${encodeURIComponent(part)}`}${parameters.size === 0 ? '' : `?${parameters}`}`
}

export const route = signal(parsePlace(globalThis.location?.hash ?? ''))

/**
 * The key whose sandbox is shown; null for the shared state, or for all sandboxes in the timeline.
 */
export const currentSandbox = (): string | null => route.value.query.sandbox || null

export const link = (
  view: ViewId,
  part = '',
  query: Texts = {},
  sandbox = currentSandbox(),
): string => formatPlace({ view, part, query: { ...query, sandbox: sandbox ?? '' } })

export function adjust({ query, ...change }: Partial<Place>): void {
  history.replaceState(
    null,
    '',
    formatPlace({ ...route.value, ...change, query: { ...route.value.query, ...query } }),
  )
  route.value = parsePlace(location.hash)
}

export const leaveRow = () => adjust({ part: '', query: { compare: '' } })

/**
 * Goes to an address. In a frame it takes the place of the last one: the Back button there is the
 * app's.
 */
export function go(address: string): void {
  if (parent === window) location.hash = address
  else location.replace(address)
}

export function followAddress(): void {
  const update = () => {
    route.value = parsePlace(location.hash)
    adjust({})
  }
  addEventListener('hashchange', update)
  addEventListener('click', (event) => {
    const address = (event.target as Element).closest('a[href^="#"]')?.getAttribute('href')
    if (!address || parent === window) return
    event.preventDefault()
    go(address)
  })
  update()
}
