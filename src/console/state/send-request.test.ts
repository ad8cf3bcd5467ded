import { expect, it } from 'vitest'
import { sendRequest } from './send-request.ts'

it('a key that no request can carry is not sent, and that is what is said', async () => {
  const headers = { Authorization: 'Bearer schlüssel 🐶' }
  expect(await sendRequest({ method: 'GET', target: '/v1/pets', headers, body: undefined })).toEqual({
    failure: 'Not sent: the key, or another header, has a character that HTTP does not allow there',
  })
})
