// Keys that work wherever the focus is, unless you are typing.
import { undoMine } from './actions.ts'
import { drawer } from './connection.ts'
import { adjust, route } from './route.ts'
import { walk } from './ui/pane.tsx'

/** Keys that mean something there. */
const HAS_KEYS = 'input, .pane-body, .pane-body *, .menu *, summary'

/** `j`, `k` and the arrows walk through the list, Enter opens, Escape closes, `z` undoes, `/` searches, `b` breaks, `c` compares. */
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
    if (document.querySelector(':popover-open')) return false
    if (part !== '') adjust({ part: '' })
    else if (query.compare) adjust({ query: { compare: '' } })
    else if (!drawer || isTyping) return false
    else drawer.close()
    return true
  }
  if (isTyping) return false
  if (key.toLowerCase() === 'z') {
    void undoMine(shiftKey)
    return true
  }
  if (ctrlKey || metaKey) return false
  if (key === '/') {
    const search = document.querySelector<HTMLInputElement>('main input[type=search]')
    search?.focus()
    return search !== null
  }
  if (key === 'b') {
    document.querySelector<HTMLElement>('.bar .dashed')?.click()
    document.querySelector<HTMLElement>('.menu:popover-open .cell')?.focus()
    return true
  }
  if (key === 'c' && part !== '' && route.value.view === 'timeline') {
    adjust({ query: { compare: part } })
    return true
  }
  // A link or a button has its own Enter, and what scrolls has its arrows.
  if (key === 'Enter' ? element.matches('a, button, summary, input') : key.length > 1 && element.matches(HAS_KEYS)) return false
  return walk(key)
}
