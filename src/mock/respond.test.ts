import { expect, it } from 'vitest'
import { createResponder, readRequestBody } from './respond.ts'

it.each(['GET', 'HEAD'])('the body of a request is not read for %s', async (method) => {
  const request = { method, body: new ReadableStream() } as unknown as Request
  expect(await readRequestBody(request)).toBeUndefined()
  expect(request.body?.locked).toBe(false)
})

it('a dropped connection is answered with a network error', async () => {
  const respond = createResponder({
    answer: () => ({ status: 0, headers: {}, body: '', drop: true }),
  })
  const response = await respond(new Request('http://mock.test/v1/pets'), '/v1/pets')
  expect(response.type).toBe('error')
})
