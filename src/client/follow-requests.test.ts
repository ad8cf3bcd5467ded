import { expect, it, onTestFinished, vi } from 'vitest'
import { serve } from '../hosts/node/serve.ts'
import { createMock } from '../mock/mock.ts'
import { connect } from './connect.ts'
import { followRequests } from './follow-requests.ts'

it('reads the journal with the requests that still wait for their response, until it is stopped', async () => {
  const mock = createMock({ pets: [], faults: [{ operation: 'getPet', delay: 60_000 }] })
  const { url, close } = await serve(mock)
  onTestFinished(close)
  const { read, stop } = await followRequests(connect(url))
  const leave = new AbortController()
  const ask = (path: string) => fetch(url + path, { headers: { authorization: 'Bearer key' }, signal: leave.signal })
  const told = async () => (await read()).map(({ target, outcome }) => [target, outcome])
  await (await ask('/pets')).text()
  const held = ask('/pets/1')
  const both = [
    ['/v1/pets', 'sent'],
    ['/v1/pets/1', 'waiting'],
  ]
  await vi.waitFor(async () => expect(await told()).toEqual(both), { timeout: 10_000 })
  await (await ask('/pets')).text()
  expect(await told()).toEqual([...both, ['/v1/pets', 'sent']])
  stop()
  leave.abort()
  await expect(held).rejects.toThrow()
})
