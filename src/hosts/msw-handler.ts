// One MSW handler for one base address; what it answers is the engine's business.
import { type HttpHandler, http } from 'msw'
import { type BaseAddress, findTarget } from '../mock/base-address.ts'
import { type Answering, createResponder } from '../mock/fetch.ts'

export function createMswHandler(mock: Answering, address: BaseAddress): HttpHandler {
  const respond = createResponder(mock)
  return http.all(address.pattern, async ({ request }) => {
    try {
      return await respond(request, findTarget([address], new URL(request.url)) as string, request.signal)
    } catch (error) {
      // The client has left and reads nothing; thrown on, MSW would log it as an error of the handler.
      if (request.signal.aborted) return Response.error()
      throw error
    }
  })
}
