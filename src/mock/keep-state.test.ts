import { expect, it, onTestFinished, vi } from 'vitest'
import { toCall } from '../../test/support/call.ts'
import { createMock, type Mock, type MockOptions } from './mock.ts'

const create = (mock: Mock, body: string) => mock.answer(toCall('POST', '/v1/pets', body))
const events = () => new Promise((resolve) => setTimeout(resolve))

/** A storage of a page, and the mocks of the pages that are loaded one after the other. */
function createPage(text: string | null = null) {
  const page = { text, fails: false }
  const storage = {
    getItem: () => page.text,
    setItem(_: string, value: string) {
      if (page.fails) throw new DOMException('full', 'QuotaExceededError')
      page.text = value
    },
  }
  return {
    page,
    load: (options: MockOptions = {}) =>
      createMock({ scenario: { name: 'two', pets: [pet(1), pet(2)] }, ...options, storage }),
  }
}
const pet = (id: number) => ({ id, name: 'Rex', categoryId: 1 })

it('a mock with a storage has the same state after a reload, to the last digit, and resets to its scenario', async () => {
  const { load } = createPage()
  const before = load({ latency: [0, 1] })
  create(before, '{"name":"Big","categoryId":9223372036854775807}')
  before.control.pets.remove(1)
  before.control.faults.add({ operation: 'createPet', status: 503, times: 1 })
  expect(create(before, '{}').status).toBe(503)
  before.control.clock.set('2030-12-06', { frozen: true })
  await events()
  const after = load({ latency: [0, 1] })
  expect(after.control.state()).toEqual(before.control.state())
  expect(after.control.diff()).toEqual(before.control.diff())
  expect(create(after, '{"name":"Next","categoryId":1}').body).toBe(
    '{"id":4,"name":"Next","categoryId":1}',
  )
  expect(after.control.faults.add({ operation: '*', delay: 1 }).id).toBe('2')
  after.control.reset()
  expect(after.control.summary()).toMatchObject({ scenario: 'two', pets: 2 })
  await events()
  expect(load().control.summary().pets).toBe(2)
})

it('a clock that runs starts again where it was set, and does not differ from its scenario', async () => {
  const { load } = createPage()
  load({ now: '2030-01-01' }).control.pets.remove(1)
  await events()
  expect(load({ now: '2030-01-01' }).control.diff()).toMatchObject({
    clock: null,
    pets: { removed: [pet(1)] },
  })
})

it('a mock with a storage keeps the keys, the name and the surprises of a loaded scenario, until a reset', async () => {
  const { load } = createPage()
  const calibrated = { on: '2030-12-06', against: 'https://api.example.com/v1', choices: {} }
  load().control.load({
    name: 'qa',
    pets: [],
    apiKeys: ['qa-key'],
    surprise: { seed: 7 },
    calibrated,
  })
  await events()
  const { control, fetch } = load()
  expect(control.state()).toMatchObject({
    name: 'qa',
    apiKeys: ['qa-key'],
    surprise: { seed: 7 },
    calibrated,
  })
  const list = async (key: string) =>
    (await fetch('http://localhost/v1/pets', { headers: { authorization: `Bearer ${key}` } }))
      .status
  expect([await list('qa-key'), await list('k')]).toEqual([200, 401])
  const { control: another } = load()
  another.load({ name: 'another' })
  expect(another.state().surprise).toEqual({ seed: 7 })
  control.reset()
  expect(control.summary().scenario).toBe('two')
  expect(control.state().surprise).toBeUndefined()
  expect([await list('qa-key'), await list('k')]).toEqual([200, 200])
})

it('a mock reports a storage that fails, and works without it', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const { page, load } = createPage()
  page.fails = true
  const mock = load()
  expect(create(mock, '{"name":"Rex","categoryId":1}').status).toBe(201)
  await events()
  expect(log).toHaveBeenCalledWith(expect.stringContaining('full'))
})

it.each(['{', '{"pets":[{"id":1}]}', '1'])(
  'a mock refuses to start from the stored text %s, and leaves it in the storage',
  (text) => {
    const { page, load } = createPage(text)
    expect(load).toThrow(/storage: the item animal-store-mock is not the state of a mock/)
    expect(page.text).toBe(text)
  },
)

it('a mock refuses a storage together with sandboxes, and a value that is not a storage', () => {
  expect(() => createPage().load({ sandbox: true })).toThrow(
    'storage and sandbox cannot be combined',
  )
  expect(() => createMock({ storage: {} as never })).toThrow(
    'storage: expected a storage such as sessionStorage',
  )
})
