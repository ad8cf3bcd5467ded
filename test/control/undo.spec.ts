// One step back: after a load, a reset or an emptied journal.
import { describe, expect, it } from 'vitest'
import { version } from '../../src/generated/version.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { MAX_UNDO_BYTES } from '../../src/limits.ts'
import { animals } from '../support/animals.ts'
import { startControl } from '../support/control-client.ts'

const pip = { name: 'Pip', categoryId: 1 }
const header = (name: string) => (name === 'authorization' ? 'Bearer ann-key' : undefined)
const ask = ({ answer }: Mock, target = '/v1/pets') => answer({ method: 'GET', target, header })

/** A world with something of everything. */
function start(options = {}) {
  const mock = createMock({ pets: animals, now: '2026-11-15', frozen: true, ...options })
  const { control } = mock
  control.faults.add({ operation: 'createPet', status: 503, after: 9 })
  control.assume({ 'list-order': 'newest-first' })
  control.clock.advance('P1D')
  control.pets.update(1, { status: 'sold' })
  control.pets.add(pip)
  ask(mock)
  return { mock, control }
}

describe('undo', () => {
  it.each([
    ['load', (mock: Mock) => mock.control.load({ name: 'empty' })],
    ['reset', (mock: Mock) => mock.control.reset()],
  ] as const)('takes a %s back: animals, clock, faults, choices and traffic, along with what was asked meanwhile', (what, lose) => {
    const { mock, control } = start()
    const before = control.state()
    lose(mock)
    expect(control.state()).not.toEqual(before)
    ask(mock, '/v1/pets/99')
    expect(control.undo()).toBe(what)
    expect(control.state()).toEqual(before)
    expect(control.requests().map(({ target }) => target)).toEqual(['/v1/pets', '/v1/pets/99'])
    expect(control.changes()).toEqual({ added: [5], changed: [1], removed: [] })
    ask(mock)
    expect(control.requests().map(({ id }) => id)).toEqual([1, 2, 3])
    control.reset()
    expect(control.state().pets).toEqual(animals)
  })

  it('brings back what was cleared, before what came since', () => {
    const { mock, control } = start()
    ask(mock, '/v1/pets/1')
    control.clearRequests()
    ask(mock, '/v1/pets/2')
    expect(control.undo()).toBe('requests')
    expect(control.requests().map(({ target }) => target)).toEqual(['/v1/pets', '/v1/pets/1', '/v1/pets/2'])
  })

  it('goes one step back, and not a second time', () => {
    const { control } = start()
    control.load({ name: 'one' })
    control.load({ name: 'two' })
    expect(control.undo()).toBe('load')
    expect(control.summary().scenario).toBe('one')
    expect(control.undo()).toBeUndefined()
    expect(control.summary().scenario).toBe('one')
  })

  it('tells listeners, but not where there is nothing to undo', () => {
    const { control } = start()
    const told: unknown[] = []
    control.undo()
    control.subscribe((event) => told.push(event))
    control.undo()
    control.reset()
    control.undo()
    const change = { type: 'change', sandbox: null }
    expect(told).toEqual([
      { ...change, what: 'reset' },
      { ...change, what: 'undo' },
    ])
  })

  it('is for each sandbox by itself, and gone with it', () => {
    const { mock, control } = start({ sandbox: true })
    const ann = control.sandbox('ann-key')
    control.sandbox('bob-key').reset()
    ann.load({ name: 'other' })
    control.reset()
    expect(ann.undo()).toBe('load')
    expect(ann.requests()).toHaveLength(1)
    expect(control.undo()).toBe('reset')
    ann.reset()
    control.removeSandbox('ann-key')
    expect(ann.undo()).toBeUndefined()
    ask(mock)
    expect(ann.undo()).toBeUndefined()
  })

  it('holds no more than its limit: a larger world is gone, and so are the oldest of many', () => {
    const control = createMock({ pets: [], sandbox: true }).control
    const name = 'x'.repeat(MAX_UNDO_BYTES / 2 - 2_000)
    const fill = (key: string, count: number) =>
      control.sandbox(key).load({ pets: Array.from({ length: count }, (_, id) => ({ id, name, categoryId: 1 })) })
    fill('too-large', 3)
    control.sandbox('too-large').reset()
    expect(control.sandbox('too-large').undo()).toBeUndefined()
    for (const key of ['a', 'b', 'c']) {
      fill(key, 1)
      control.sandbox(key).reset()
    }
    expect(['a', 'b', 'c'].map((key) => control.sandbox(key).undo())).toEqual([undefined, 'reset', 'reset'])
  })

  it('is a route that says what was undone, and 409 where there is nothing', async () => {
    const { poke, write, ask: askControl } = await startControl({ pets: animals })
    const nothing = 'Nothing to undo: nothing was loaded, reset or emptied, or it is no longer kept'
    expect(await poke('POST', '/undo')).toMatchObject({ status: 409, json: { code: 'Conflict', message: nothing, status: 409 } })
    await write('PUT', '/scenario', { name: 'empty' })
    expect(await poke('POST', '/undo')).toMatchObject({
      status: 200,
      json: { status: 'ok', version, scenario: 'default', pets: 4, undone: 'load' },
    })
    expect((await askControl('/undo')).status).toBe(405)
  })
})
