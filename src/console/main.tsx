// Wires the page together and renders it.
import { render } from 'preact'
import { createClient } from '../client/client.ts'
import { App } from './app.tsx'
import { applyTheme, recallTheme } from './parts/theme.ts'
import { createActions } from './state/actions.ts'
import { parseAddress } from './state/address.ts'
import { createStore } from './state/console-state.ts'
import { followMock } from './state/follow-mock.ts'
import { createToken } from './state/token.ts'

const store = createStore(parseAddress(location.hash))
const token = createToken(sessionStorage, new BroadcastChannel('animal-store-mock'), () => following.retry())
const clients = {
  world: createClient('', { token: token.get, sandbox: () => store.get().sandbox }),
  mock: createClient('', { token: token.get }),
  of: (sandbox: string | null) => createClient('', { token: token.get, sandbox: () => sandbox ?? undefined }),
}
const following = followMock(store, clients, token, () => parseAddress(location.hash).view !== 'traffic')
const actions = createActions(store, clients, following, token.set)

document.addEventListener('visibilitychange', () => following.setHidden(document.hidden))
applyTheme(recallTheme())
render(<App store={store} actions={actions} />, document.body)
