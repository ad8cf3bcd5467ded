// Starts the page.
import { render } from 'preact'
import { App, listenForKeys } from './app.tsx'
import { start } from './mock.ts'
import { followAddress } from './route.ts'
import { keepFocus } from './ui/controls.tsx'
import { acceptFiles } from './views/scenarios.tsx'

followAddress()
start()
keepFocus()
listenForKeys()
acceptFiles()
render(<App />, document.body)
