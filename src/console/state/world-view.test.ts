import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock/mock.ts'
import { hasAddition, toNow, unreadWorld, withEntries } from './world-view.ts'

const header = (name: string) => ({ authorization: 'Bearer k', 'content-type': 'application/json' })[name]

describe('the view of a world', () => {
  it('has each exchange once, and tells which of them added an animal', () => {
    const mock = createMock({ pets: [] })
    const create = (body: string) => mock.answer({ method: 'POST', target: '/v1/pets', header, body: new TextEncoder().encode(body) })
    create('{}')
    const [refused] = mock.control.requests()
    const view = withEntries(unreadWorld, mock.control.requests())
    create('{"name":"Rex","categoryId":1}')
    const entries = mock.control.requests()
    expect(withEntries(view, entries).entries.map(({ id }) => id)).toEqual([2, 1])
    expect(hasAddition(entries)).toBe(true)
    expect(refused && hasAddition([refused])).toBe(false)
  })
})

it('toNow lets a running clock run, and a frozen one stand', () => {
  expect(toNow({ now: '2026-11-15T00:00:00Z', frozen: false, readAt: 1_000 }, 3_500)).toBe(Date.parse('2026-11-15T00:00:02.500Z'))
  expect(toNow({ now: '2026-11-15T00:00:00Z', frozen: true, readAt: 1_000 }, 3_500)).toBe(Date.parse('2026-11-15T00:00:00Z'))
})
