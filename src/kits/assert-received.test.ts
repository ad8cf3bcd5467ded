import { expect, it, onTestFinished } from 'vitest'
import { connect } from '../client/connect.ts'
import { serve } from '../hosts/node/serve.ts'
import { createMock } from '../mock/mock.ts'
import { assertReceived } from './matchers.ts'

it('takes a mock, its control, the control of a sandbox and that of a running mock', async () => {
  const mock = createMock({ sandbox: true })
  const { url, close } = await serve(mock)
  onTestFinished(close)
  await (await fetch(`${url}/pets/7`, { headers: { authorization: 'Bearer key-1', 'idempotency-key': 'a1' } })).text()
  const expected = { petId: 7, headers: { 'Idempotency-Key': /^a\d$/, 'x-other': undefined }, times: 1 }
  await assertReceived(mock.control.sandbox('key-1'), 'getPet', expected)
  await assertReceived(connect(url, { sandbox: 'key-1' }), 'getPet', { ...expected, apiKey: 'key-1' })
  await assertReceived(connect(url, { sandbox: 'key-1' }), 'getPet', { apiKey: 'key-2', times: 0 })
  await assertReceived(mock, 'getPet', { times: 0 })
  await assertReceived(mock.control, 'getPet', { times: 0 })
})

it('rejects with what came instead', async () => {
  const mock = createMock()
  mock.answer({ method: 'GET', target: '/v1/pets/8', header: (name) => (name === 'authorization' ? 'Bearer k' : undefined) })
  const error: Error = await assertReceived(mock, 'getPet', { petId: 7, headers: { accept: /json/ }, timeout: 10 }).catch(
    (thrown) => thrown,
  )
  expect(error.message).toContain('assertReceived(mock, "getPet", {"petId":7,"headers":{"accept":"/json/"},"timeout":10})')
  expect(error.message).toContain('petId: expected 7, got 8')
  expect(error.message).toContain('headers.accept: expected /json/, got nothing')
})

it.each([
  [5, 'getPet', {}, 'assertReceived: expected a store, a mock or a control, got 5'],
  [createMock(), 'eatPet', {}, 'assertReceived: operation must be "listPets", "createPet" or "getPet", got "eatPet"'],
  [createMock(), 'getPet', { petId: 'x' }, 'assertReceived: petId must be an id such as 7 or 7n, got "x"'],
  [createMock(), 'getPet', { timeout: -1 }, 'assertReceived: timeout must be an integer from 0 to 60000, got -1'],
])('refuses a wrong call %#', async (source, operation, options, message) => {
  await expect(assertReceived(source as never, operation as never, options as never)).rejects.toThrow(message)
})
