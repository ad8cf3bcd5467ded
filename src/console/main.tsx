// Starts the page.
import { render } from 'preact'
import { App } from './app.tsx'
import { listenForKeys } from './keys.tsx'
import { drawer } from './model/connection.ts'
import { start } from './model/mock.ts'
import { dismiss, notify } from './model/notice.ts'
import { renderWatching } from './model/resources.ts'
import { followAddress, route } from './model/route.ts'
import { renderWith } from './model/signal.ts'
import { keepFocus } from './ui/focus.ts'
import { acceptFiles } from './views/load-file.ts'

if (drawer) document.body.className = 'drawer'
// What the page had to say before it started again.
if (history.state) notify(history.state)
followAddress()
start()
keepFocus()
listenForKeys()
acceptFiles()

addEventListener('pointerdown', (event) => {
  const isInToast = (event.target as Element).closest('.toast') !== null
  if (!isInToast) dismiss()
})

// A menu closes when the focus leaves it, also by a click in the app around a drawer.
addEventListener('blur', closeMenu)
addEventListener('focusin', (event) => {
  const isInMenu = (event.target as Element).matches(':has(+:popover-open), .menu *')
  if (!isInMenu) closeMenu()
})

function closeMenu(): void {
  document.querySelector<HTMLElement>(':popover-open')?.hidePopover()
}

// What fits, and the side to which a drawer can move, may be different now.
addEventListener('resize', () => {
  route.value = { ...route.value }
})

renderWith(() => renderWatching(() => render(<App />, document.body)))
