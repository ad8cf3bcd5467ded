// Wires the page together and renders it.
import { render } from 'preact'
import { createControlClient } from '../client/control-client.ts'
import { createFetchTransport } from '../client/transport.ts'
import { App } from './app.tsx'
import { applyTheme, recallTheme } from './parts/theme.ts'
import { createActions } from './state/actions.ts'
import { parseAddress } from './state/address.ts'
import { createStore } from './state/console-state.ts'
import { followMock } from './state/follow-mock.ts'

/** Kept for as long as the tab is open. */
const TOKEN = 'animal-store-mock.token'

const store = createStore(parseAddress(location.hash).query.sandbox)
const token = () => sessionStorage.getItem(TOKEN) ?? undefined
const transport = createFetchTransport('')
const clients = {
  world: createControlClient(transport, () => ({ token: token(), sandbox: store.get().sandbox })),
  mock: createControlClient(transport, () => ({ token: token() })),
}
const following = followMock(store, clients, () => token() !== undefined)
const actions = createActions(store, clients, following, (sent) => sessionStorage.setItem(TOKEN, sent))

document.addEventListener('visibilitychange', () => following.setHidden(document.hidden))
applyTheme(recallTheme())
render(<App store={store} actions={actions} />, document.body)
