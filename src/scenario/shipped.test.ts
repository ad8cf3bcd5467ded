// Each shipped scenario is what its name says, as a client would see it.
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { toCall } from '../../test/support/call.ts'
import { contract, type Pet } from '../contract/generated/contract.ts'
import { parseJson } from '../contract/int64-json.ts'
import { createMock, type Mock } from '../mock/mock.ts'
import { type ScenarioName, scenarios } from './shipped.ts'

const STATUSES = contract.schemas.PetStatus.enum
const LONGEST = 100

const ask = ({ answer }: Mock, ...call: Parameters<typeof toCall>) => answer(toCall(...call))

function list(mock: Mock, query = ''): Pet[] {
  const { status, body } = ask(mock, 'GET', `/v1/pets?limit=${LONGEST}${query}`)
  expect(status).toBe(200)
  return parseJson(body) as unknown as Pet[]
}

const open = (name: ScenarioName) => createMock({ scenario: scenarios[name] })
const create = (mock: Mock) => ask(mock, 'POST', '/v1/pets', { name: 'Rex', categoryId: 1 })
const countByStatus = (mock: Mock) =>
  Object.fromEntries(STATUSES.map((status) => [status, list(mock, `&status=${status}`).length]))

describe('the shipped scenarios', () => {
  it('are the files of fixtures/, each with a description and the name of its file', () => {
    const files = readdirSync(new URL('../../fixtures', import.meta.url)).filter((file) =>
      file.endsWith('.yaml'),
    )
    expect(Object.keys(scenarios).sort()).toEqual(
      files.map((file) => file.replace('.yaml', '')).sort(),
    )
    for (const [key, { name, description = '' }] of Object.entries(scenarios)) {
      expect(name).toBe(key)
      expect(description.length).toBeGreaterThan(20)
    }
  })

  it('include default, the usual start of a mock: eighteen animals with every status, and some without one', () => {
    const mock = createMock()
    const counts = Object.values(countByStatus(mock))
    expect(list(mock)).toHaveLength(18)
    expect(Math.min(...counts)).toBeGreaterThan(4)
    expect(counts.reduce((sum, count) => sum + count)).toBeLessThan(17)
    expect(list(open('default'))).toEqual(list(mock))
    expect(new Set(list(mock).map(({ categoryId }) => categoryId)).size).toBeGreaterThan(4)
  })

  it('include empty: the service has no animals, and the first new one gets the id 1', () => {
    const mock = open('empty')
    expect(list(mock)).toEqual([])
    expect(create(mock).body).toBe('{"id":1,"name":"Rex","categoryId":1}')
  })

  it('include single: the service has one animal', () => {
    expect(list(open('single'))).toEqual([
      { id: 1, name: 'Biscuit the Beagle', categoryId: 1, status: 'available' },
    ])
  })

  it('include full-page: the service has as many animals as one list can return', () => {
    const mock = open('full-page')
    const page = list(mock)
    expect(page).toHaveLength(LONGEST)
    create(mock)
    expect(list(mock)).toEqual(page)
    expect(ask(mock, 'GET', '/v1/pets/100').status).toBe(200)
    expect(mock.control.state().pets).toHaveLength(LONGEST + 1)
  })

  it('include crowded: the service has a thousand animals, and every status fills a list', () => {
    const mock = open('crowded')
    expect(ask(mock, 'GET', '/v1/pets/1000').status).toBe(200)
    expect(ask(mock, 'GET', '/v1/pets/1001').status).toBe(404)
    expect(countByStatus(mock)).toEqual(
      Object.fromEntries(STATUSES.map((status) => [status, LONGEST])),
    )
  })

  it('include sold-out: the service has animals, and all of them are sold', () => {
    const mock = open('sold-out')
    expect(list(mock)).toHaveLength(40)
    expect(countByStatus(mock)).toEqual({ available: 0, pending: 0, sold: 40 })
  })

  it('include no-status: the service has animals that no status filter matches', () => {
    const mock = open('no-status')
    expect(list(mock)).toHaveLength(20)
    expect(countByStatus(mock)).toEqual({ available: 0, pending: 0, sold: 0 })
  })

  it.each([
    ['no characters', /^$/],
    ['right-to-left script', /\p{Script=Arabic}/u],
    ['an override of the text direction', /\u202e/],
    ['one emoji and nothing else', /^\p{Extended_Pictographic}$/u],
    ['double quotes', /"/],
    ['markup', /<script>.*<\/script>/],
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
    ['a NUL character', /\u0000/],
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
    ['an escape sequence', /\u001b\[31m/],
    ['line breaks', /\r\n/],
    ['ten thousand characters', /^[\s\S]{10000,11000}$/],
  ])('include tricky-names: the service returns a name with %s unchanged', (_, pattern) => {
    const mock = open('tricky-names')
    const found = list(mock).filter(({ name }) => pattern.test(name))
    expect(found.length).toBeGreaterThan(0)
    for (const pet of found)
      expect(JSON.parse(ask(mock, 'GET', `/v1/pets/${pet.id}`).body)).toEqual(pet)
  })

  it('include big-ids: the service returns every digit of ids and categories, and runs out of ids after ten new animals', () => {
    const mock = open('big-ids')
    const { body } = ask(mock, 'GET', '/v1/pets')
    for (const id of [
      '-9007199254740993',
      '9007199254740991',
      '9007199254740992',
      '9007199254740993',
      '9223372036854775797',
    ]) {
      expect(body).toContain(`{"id":${id},`)
      expect(ask(mock, 'GET', `/v1/pets/${id}`).body).toContain(`{"id":${id},`)
    }
    for (const id of [
      '-9223372036854775808',
      '-9007199254740993',
      '9007199254740993',
      '9223372036854775807',
    ]) {
      expect(body).toContain(`"categoryId":${id},`)
    }
    for (let id = 9223372036854775798n; id < 2n ** 63n; id++)
      expect(create(mock).body).toBe(`{"id":${id},"name":"Rex","categoryId":1}`)
    expect(create(mock).status).toBe(507)
  })

  it('include flaky: some responses are errors, late or dropped, and they are the same in every run', () => {
    const run = () => {
      const mock = open('flaky')
      return Array.from({ length: 300 }, () => ask(mock, 'GET', '/v1/pets')).map(
        ({ status, delay = 0 }) => ({ status, delay }),
      )
    }
    const replies = run()
    const count = (test: (reply: { status: number; delay: number }) => boolean) =>
      replies.filter(test).length
    expect(run()).toEqual(replies)
    expect(count(({ status }) => status === 503)).toBeGreaterThan(20)
    expect(count(({ status }) => status === 0)).toBeGreaterThan(3)
    expect(count(({ status, delay }) => status === 200 && delay >= 100)).toBeGreaterThan(20)
    expect(count(({ status, delay }) => status === 200 && delay === 0)).toBeGreaterThan(120)
  })

  it('include slow: every operation succeeds, two to four seconds late', () => {
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

  it('include outage: every operation fails with 503, and Retry-After tells a client when to come back', () => {
    const mock = open('outage')
    for (const reply of [
      ask(mock, 'GET', '/v1/pets'),
      ask(mock, 'GET', '/v1/pets/1'),
      create(mock),
    ]) {
      expect(reply).toMatchObject({ status: 503, headers: { 'Retry-After': '30' } })
    }
    expect(mock.control.state().pets).toHaveLength(18)
  })

  it('include after-sunset: the service no longer has getPet, and the other operations work', () => {
    const mock = open('after-sunset')
    expect(ask(mock, 'GET', '/v1/pets/1')).toMatchObject({
      status: 404,
      body: expect.stringContaining('getPet is no longer available'),
    })
    expect(ask(mock, 'GET', '/v1/pets')).toMatchObject({
      status: 200,
      headers: { Date: expect.stringMatching(/^Fri, 06 Dec 2030 00:/) },
    })
    expect(create(mock).status).toBe(201)
  })

  it('include locked-out: the service refuses every API key', () => {
    const mock = open('locked-out')
    for (const key of ['some-key', 'test', 'listed'])
      expect(ask(mock, 'GET', '/v1/pets', undefined, key).status).toBe(401)
    expect(create(mock).status).toBe(401)
  })
})
