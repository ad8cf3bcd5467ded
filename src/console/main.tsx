// The page's start: one store, one client, one follower, one tree of elements.
import { render } from 'preact'
import { createActions } from './actions.ts'
import { App } from './app.tsx'
import { createStore } from './console-state.ts'
import { createControlClient } from './control-client.ts'
import { followMock } from './follow-mock.ts'
import { applyTheme, recallTheme } from './theme.ts'

/** Kept for as long as the tab is open. */
const TOKEN = 'animal-store-mock.token'

const store = createStore()
const token = () => sessionStorage.getItem(TOKEN) ?? undefined
const client = createControlClient(() => ({ token: token(), sandbox: store.get().sandbox }))
const following = followMock(store, client, () => token() !== undefined)
const actions = createActions(store, client, following, (sent) => sessionStorage.setItem(TOKEN, sent))

applyTheme(recallTheme())
render(<App store={store} actions={actions} />, document.body)
