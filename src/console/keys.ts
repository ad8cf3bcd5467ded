// Keys that work wherever the focus is, unless you are typing: `j`, `k`, arrows and Enter (`walk`), Escape, `z`, and those of `KEYS`.
import { toneOf } from '../render/rows.ts'
import { takeTurn, undoMine } from './actions.ts'
import { drawer } from './connection.ts'
import { useRequests } from './mock.ts'
import { adjust, route } from './route.ts'
import { nameOf } from './rows.ts'
import { walk } from './ui/pane.tsx'

const HAS_KEYS = 'input, .pane-body, .pane-body *, .menu *, summary'
const find = (selector: string) => document.querySelector<HTMLElement>(selector)

const KEYS: Readonly<Record<string, (part: string) => void>> = {
  '/': () => find('main input[type=search]')?.focus(),
  b() {
    find('.bar .dashed')?.click()
    find('.menu:popover-open .cell')?.focus()
  },
  c: (part) => part !== '' && route.value.view === 'timeline' && adjust({ query: { compare: part } }),
  /** The next alternative of the request that is shown; or the last request that failed. */
  w(part) {
    const failed = useRequests().find((entry) => toneOf(entry) !== 'good')
    const choices = [...document.querySelectorAll<HTMLElement>('.what-if > .row')]
    const next = choices[choices.findIndex((one) => one.ariaPressed === 'true') + 1] ?? choices[0]
    if (part === '' && failed && route.value.view === 'timeline') adjust({ part: nameOf(failed) })
    next?.click()
    next?.focus()
  },
}

export function listenForKeys(): void {
  addEventListener('keydown', (event) => {
    if (!event.altKey && !event.defaultPrevented && act(event)) event.preventDefault()
  })
}

function act({ key, shiftKey, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  const element = target instanceof Element ? target : document.body
  const isTyping = element.matches('textarea, select, input:not([type=radio])')
  const { part, query } = route.value
  if (key === 'Escape') {
    if (find(':popover-open')) return false
    if (part !== '') adjust({ part: '' })
    else if (query.compare) adjust({ query: { compare: '' } })
    else if (!drawer || isTyping) return false
    else drawer.close()
    return true
  }
  if (isTyping) return false
  if (key.toLowerCase() === 'z') takeTurn(() => undoMine(shiftKey))
  else if (ctrlKey || metaKey) return false
  else if (Object.hasOwn(KEYS, key)) KEYS[key]?.(part)
  // A link or a button has its own Enter, and what scrolls has its arrows.
  else if (key === 'Enter' ? element.matches('a, button, summary, input') : key.length > 1 && element.matches(HAS_KEYS)) return false
  else return walk(key)
  return true
}
