import { describe, expect, it } from 'vitest'
import { createMock, type Mock } from '../../mock.ts'
import { toNow, toStateView, unreadWorld, type WorldView, withEntries } from './world-view.ts'

const header = (name: string) => ({ authorization: 'Bearer k', 'content-type': 'application/json' })[name]

/** What the page reads of a mock. */
function read({ control }: Mock): WorldView {
  return { ...unreadWorld, ...toStateView(control.state(), control.changes()) }
}

/** A mock and a view of it, as the page has it. */
function start() {
  const mock = createMock({ pets: [{ id: 1, name: 'Rex', categoryId: 1 }] })
  const create = (name: string) =>
    mock.answer({ method: 'POST', target: '/v1/pets', header, body: new TextEncoder().encode(JSON.stringify({ name, categoryId: 1 })) })
  return { mock, create, view: read(mock) }
}

describe('the view of a world', () => {
  it('has an animal as soon as its exchange is heard of, once, and marked', () => {
    const { mock, create, view } = start()
    create('Bella')
    const once = withEntries(view, mock.control.requests()).view
    expect(once.pets.map(({ name }) => name)).toEqual(['Rex', 'Bella'])
    expect([...once.marks]).toEqual([['2', 'new']])
    const twice = withEntries({ ...once, ...read(mock) }, mock.control.requests()).view
    expect(twice.pets.map(({ name }) => name)).toEqual(['Rex', 'Bella'])
    expect([...twice.marks]).toEqual([['2', 'new']])
    expect(twice.entries).toHaveLength(1)
  })

  it('knows that it is behind when the journal has only the beginning of an animal', () => {
    const { mock, create, view } = start()
    create('x'.repeat(20_000))
    expect(withEntries(view, mock.control.requests())).toMatchObject({ isBehind: true, view: { pets: view.pets } })
  })

  it('marks what is not as the scenario has it, however long ago that came to be', () => {
    const { mock, create } = start()
    create('Bella')
    expect([...read(mock).marks]).toEqual([['2', 'new']])
    mock.control.reset()
    expect([...read(mock).marks]).toEqual([])
    create('Bella')
    mock.control.load({ name: 'other', pets: [] })
    expect([...read(mock).marks]).toEqual([])
  })
})

it('toNow lets a running clock run, and a frozen one stand', () => {
  expect(toNow({ now: '2026-11-15T00:00:00Z', frozen: false, readAt: 1_000 }, 3_500)).toBe(Date.parse('2026-11-15T00:00:02.500Z'))
  expect(toNow({ now: '2026-11-15T00:00:00Z', frozen: true, readAt: 1_000 }, 3_500)).toBe(Date.parse('2026-11-15T00:00:00Z'))
})
