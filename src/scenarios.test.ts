// Each shipped scenario is what its name says, as a client would see it.
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseJson } from './contract/int64-json.ts'
import { contract, type Pet } from './generated/contract.ts'
import { createMock, type Mock } from './mock/mock.ts'
import { type ScenarioName, scenarios } from './scenarios.ts'
import type { Reply } from './service/call.ts'

const STATUSES = contract.schemas.PetStatus.enum
const LONGEST = 100

function ask(mock: Mock, method: string, target: string, { key = 'some-key', body }: { key?: string; body?: unknown } = {}): Reply {
  const headers: Record<string, string> = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body))
  return mock.answer({ method, target, header: (name) => headers[name], body: bytes })
}

function list(mock: Mock, query = ''): Pet[] {
  const { status, body } = ask(mock, 'GET', `/v1/pets?limit=${LONGEST}${query}`)
  expect(status).toBe(200)
  return parseJson(body) as unknown as Pet[]
}

const open = (name: ScenarioName) => createMock({ scenario: scenarios[name] })
const create = (mock: Mock) => ask(mock, 'POST', '/v1/pets', { body: { name: 'Rex', categoryId: 1 } })
const countByStatus = (mock: Mock) => Object.fromEntries(STATUSES.map((status) => [status, list(mock, `&status=${status}`).length]))

describe('the shipped scenarios', () => {
  it('are those of the folder, each under its own name and with a description', () => {
    const files = readdirSync(new URL('../fixtures/', import.meta.url)).filter((file) => file.endsWith('.yaml'))
    expect(Object.keys(scenarios).sort()).toEqual(files.map((file) => file.replace('.yaml', '')).sort())
    for (const [key, { name, description = '' }] of Object.entries(scenarios)) {
      expect(name).toBe(key)
      expect(description.length).toBeGreaterThan(20)
    }
  })

  it('default: eighteen animals of every status, and some without; what a mock starts with', () => {
    const mock = createMock()
    const counts = Object.values(countByStatus(mock))
    expect(list(mock)).toHaveLength(18)
    expect(Math.min(...counts)).toBeGreaterThan(4)
    expect(counts.reduce((sum, count) => sum + count)).toBeLessThan(17)
    expect(list(open('default'))).toEqual(list(mock))
    expect(new Set(list(mock).map(({ categoryId }) => categoryId)).size).toBeGreaterThan(4)
  })

  it('empty: nothing, and the first animal gets the id 1', () => {
    const mock = open('empty')
    expect(list(mock)).toEqual([])
    expect(create(mock).body).toBe('{"id":1,"name":"Rex","categoryId":1}')
  })

  it('single: one animal', () => {
    expect(list(open('single'))).toEqual([{ id: 1, name: 'Biscuit the Beagle', categoryId: 1, status: 'available' }])
  })

  it('full-page: as many animals as a list may hold, to the last', () => {
    const mock = open('full-page')
    const page = list(mock)
    expect(page).toHaveLength(LONGEST)
    create(mock)
    expect(list(mock)).toEqual(page)
    expect(ask(mock, 'GET', '/v1/pets/100').status).toBe(200)
    expect(mock.control.state().pets).toHaveLength(LONGEST + 1)
  })

  it('crowded: a thousand animals, and full lists of every status', () => {
    const mock = open('crowded')
    expect(ask(mock, 'GET', '/v1/pets/1000').status).toBe(200)
    expect(ask(mock, 'GET', '/v1/pets/1001').status).toBe(404)
    expect(countByStatus(mock)).toEqual(Object.fromEntries(STATUSES.map((status) => [status, LONGEST])))
  })

  it('sold-out: animals, and every one of them sold', () => {
    const mock = open('sold-out')
    expect(list(mock)).toHaveLength(40)
    expect(countByStatus(mock)).toEqual({ available: 0, pending: 0, sold: 40 })
  })

  it('no-status: animals that no status filter finds', () => {
    const mock = open('no-status')
    expect(list(mock)).toHaveLength(20)
    expect(countByStatus(mock)).toEqual({ available: 0, pending: 0, sold: 0 })
  })

  it.each([
    ['an empty one', /^$/],
    ['right-to-left script', /\p{Script=Arabic}/u],
    ['a forced turn of direction', /\u202e/],
    ['emoji', /^\p{Extended_Pictographic}$/u],
    ['double quotes', /"/],
    ['markup', /<script>.*<\/script>/],
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
    ['NUL', /\u0000/],
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
    ['an escape sequence', /\u001b\[31m/],
    ['line breaks', /\r\n/],
    ['ten thousand characters', /^[\s\S]{10000,11000}$/],
  ])('tricky-names: %s among the names', (_, pattern) => {
    const mock = open('tricky-names')
    const found = list(mock).filter(({ name }) => pattern.test(name))
    expect(found.length).toBeGreaterThan(0)
    for (const pet of found) expect(JSON.parse(ask(mock, 'GET', `/v1/pets/${pet.id}`).body)).toEqual(pet)
  })

  it('big-ids: exact digits in ids and categories, and ten more ids up to the last int64', () => {
    const mock = open('big-ids')
    const { body } = ask(mock, 'GET', '/v1/pets')
    for (const id of ['-9007199254740993', '9007199254740991', '9007199254740992', '9007199254740993', '9223372036854775797']) {
      expect(body).toContain(`{"id":${id},`)
      expect(ask(mock, 'GET', `/v1/pets/${id}`).body).toContain(`{"id":${id},`)
    }
    for (const id of ['-9223372036854775808', '-9007199254740993', '9007199254740993', '9223372036854775807']) {
      expect(body).toContain(`"categoryId":${id},`)
    }
    for (let id = 9223372036854775798n; id < 2n ** 63n; id++) expect(create(mock).body).toBe(`{"id":${id},"name":"Rex","categoryId":1}`)
    expect(create(mock).status).toBe(507)
  })

  it('flaky: errors, late answers and drops among good answers, and the same ones in every run', () => {
    const run = () => {
      const mock = open('flaky')
      return Array.from({ length: 300 }, () => ask(mock, 'GET', '/v1/pets')).map(({ status, delay = 0 }) => ({ status, delay }))
    }
    const replies = run()
    const count = (test: (reply: { status: number; delay: number }) => boolean) => replies.filter(test).length
    expect(run()).toEqual(replies)
    expect(count(({ status }) => status === 503)).toBeGreaterThan(20)
    expect(count(({ status }) => status === 0)).toBeGreaterThan(3)
    expect(count(({ status, delay }) => status === 200 && delay >= 100)).toBeGreaterThan(20)
    expect(count(({ status, delay }) => status === 200 && delay === 0)).toBeGreaterThan(120)
  })

  it('slow: good answers, and each of them late', () => {
    const mock = open('slow')
    for (const [method, target] of [
      ['GET', '/v1/pets'],
      ['GET', '/v1/pets/1'],
    ] as const) {
      const { status, delay } = ask(mock, method, target)
      expect(status).toBe(200)
      expect(delay).toBeGreaterThanOrEqual(2000)
      expect(delay).toBeLessThanOrEqual(4000)
    }
    expect(create(mock)).toMatchObject({ status: 201, delay: expect.any(Number) })
  })

  it('outage: every operation fails, and says when to come back', () => {
    const mock = open('outage')
    for (const reply of [ask(mock, 'GET', '/v1/pets'), ask(mock, 'GET', '/v1/pets/1'), create(mock)]) {
      expect(reply).toMatchObject({ status: 503, headers: { 'Retry-After': '30' } })
    }
    expect(mock.control.state().pets).toHaveLength(18)
  })

  it('after-sunset: getPet is gone, and the rest goes on', () => {
    const mock = open('after-sunset')
    expect(ask(mock, 'GET', '/v1/pets/1')).toMatchObject({ status: 404, body: expect.stringContaining('getPet is no longer available') })
    expect(ask(mock, 'GET', '/v1/pets')).toMatchObject({ status: 200, headers: { Date: expect.stringMatching(/^Fri, 06 Dec 2030 00:/) } })
    expect(create(mock).status).toBe(201)
  })

  it('locked-out: no key is valid', () => {
    const mock = open('locked-out')
    for (const key of ['some-key', 'test', 'listed']) expect(ask(mock, 'GET', '/v1/pets', { key }).status).toBe(401)
    expect(create(mock).status).toBe(401)
  })
})
