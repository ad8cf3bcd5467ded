/// <reference types="vite/client" />
// An app whose requests MSW answers, with the console in its page; a production build leaves the
// console out.
import { createMock } from 'animal-store-mock'
import { createHandlers } from 'animal-store-mock/msw'
import { setupWorker } from 'msw/browser'

const mock = createMock()
const baseUrl = '/store/v1'
await setupWorker(...createHandlers(mock, { baseUrl })).start({
  quiet: true,
  onUnhandledRequest: 'bypass',
})
if (import.meta.env.DEV) {
  const { openConsole } = await import('animal-store-mock/console')
  openConsole(mock, { baseUrl })
  const openIn = (element: Element) => openConsole(mock, { element, hash: '#/animals' })
  Object.assign(globalThis, { openIn })
}
document.title = 'ready'
