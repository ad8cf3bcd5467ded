// A request through our MSW handlers beside the same request through one handler written by hand that answers the same bytes.
import { HttpResponse, http, type RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import type { createHandlers as CreateHandlers } from '../src/hosts/msw.ts'
import type { createMock as CreateMock } from '../src/mock/mock.ts'
import { importBuilt } from './built.ts'
import { atMost, type Figure } from './figures.ts'
import { interleave, ratios } from './measure.ts'
import { operationNames, operations } from './operations.ts'

const ORIGIN = 'http://animal-store.test'
const ROUNDS = 25
const REQUESTS = 200

export async function measureHandlers(): Promise<Figure[]> {
  const { createMock } = await importBuilt<{ createMock: typeof CreateMock }>('index.js')
  const { createHandlers } = await importBuilt<{ createHandlers: typeof CreateHandlers }>('msw.js')
  const mock = createMock()
  const own = createHandlers(mock, { baseUrl: `${ORIGIN}/v1` })
  const server = setupServer()
  server.listen({ onUnhandledRequest: 'error' })
  const figures: Figure[] = []
  try {
    for (const name of operationNames) {
      const { method, target, headers, body } = operations[name]
      const ask = async () => (await fetch(ORIGIN + target, { method, headers, ...(body === undefined ? {} : { body }) })).text()
      server.resetHandlers(...own)
      const trivial = [toTrivial(method, ORIGIN + target, await ask())]
      const time = async (handlers: readonly RequestHandler[]) => {
        mock.control.reset()
        server.resetHandlers(...handlers)
        // Nothing waits here for anything but the processor, and its own time does not depend on who else needs it.
        const before = process.cpuUsage()
        for (let asked = 0; asked < REQUESTS; asked++) await ask()
        const { user, system } = process.cpuUsage(before)
        return user + system
      }
      await interleave([own, trivial], 4, time)
      const [ownTimes = [], trivialTimes = []] = await interleave([own, trivial], ROUNDS, time)
      const { median, low, high } = ratios(ownTimes, trivialTimes)
      figures.push(
        atMost(
          `${name} through MSW handlers, × a trivial one`,
          median,
          1.15,
          `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`,
        ),
      )
    }
  } finally {
    server.close()
  }
  return figures
}

/** One handler that always gives the same answer, and reads what it is sent, as any that creates something must. */
function toTrivial(method: string, address: string, text: string): RequestHandler {
  const path = address.split('?')[0] as string
  const headers = { 'Content-Type': 'application/json' }
  if (method === 'GET') return http.get(path, () => new HttpResponse(text, { headers }))
  return http.post(path, async ({ request }) => {
    await request.json()
    return new HttpResponse(text, { status: 201, headers })
  })
}
