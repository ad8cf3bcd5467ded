import { createMock } from 'animal-store-mock'
import { scenarios } from 'animal-store-mock/scenarios'
import { afterEach, expect, it } from 'vitest'

const mock = createMock({ apiKeys: ['test-key'] })
const start = mock.control.state() // with the options of createMock

afterEach(() => mock.control.load(start)) // reset() would restore what the test loaded

const listAs = (key: string) => mock.fetch('https://api.example.com/v1/pets', { headers: { authorization: `Bearer ${key}` } })

it('shows an empty store', async () => {
  mock.control.load({ ...scenarios.empty, apiKeys: ['test-key'] })
  expect(await (await listAs('test-key')).json()).toEqual([])
})

it('starts where createMock started', async () => {
  expect(mock.control.summary()).toMatchObject({ scenario: 'default', pets: 18 })
  expect((await listAs('other-key')).status).toBe(401)
})
