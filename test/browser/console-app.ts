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
if (import.meta.env.DEV) (await import('animal-store-mock/console')).openConsole(mock, { baseUrl })
document.title = 'ready'
