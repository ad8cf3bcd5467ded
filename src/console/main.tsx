// The page's start: one store, one client, one follower, one tree of elements.
import { render } from 'preact'
import { App } from './app.tsx'
import { applyTheme, recallTheme } from './parts/theme.ts'
import { createActions } from './state/actions.ts'
import { createStore } from './state/console-state.ts'
import { createControlClient } from './state/control-client.ts'
import { followMock } from './state/follow-mock.ts'

/** Kept for as long as the tab is open. */
const TOKEN = 'animal-store-mock.token'

const store = createStore()
const token = () => sessionStorage.getItem(TOKEN) ?? undefined
const client = createControlClient(() => ({ token: token(), sandbox: store.get().sandbox }))
const following = followMock(store, client, () => token() !== undefined)
const actions = createActions(store, client, following, (sent) => sessionStorage.setItem(TOKEN, sent))

applyTheme(recallTheme())
render(<App store={store} actions={actions} />, document.body)
