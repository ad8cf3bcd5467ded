import { describe, expect, it } from 'vitest'
import {
  create,
  createMockService,
  createRecorder,
  type Got,
  KEY,
  type Sent,
  type Service,
  toEntry,
} from '../../test/support/traffic.ts'
import type { Pet } from '../contract/generated/contract.ts'
import { toJson } from '../contract/int64-json.ts'
import { createMock } from '../mock/mock.ts'
import { calibrate } from './calibrate.ts'
import { DEVIATIONS } from './finding.ts'

const pets: Pet[] = [
  { id: 1, name: 'Rex', categoryId: 1, status: 'sold' },
  { id: 2, name: 'Misty', categoryId: 2 },
  { id: 3, name: 'Bo', categoryId: 1, status: 'available' },
]
const list: Sent = { method: 'GET', path: '/pets' }
const get = (id: number | string): Sent => ({ method: 'GET', path: `/pets/${id}` })
const json = { 'content-type': 'application/json' }
const ok = (body: unknown, status = 200): Got => ({
  status,
  headers: { ...json, sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' },
  body: JSON.stringify(body),
})

async function read(entries: readonly object[]) {
  const result = await calibrate({ har: { log: { entries } }, keepNames: true })
  const odd = result.findings.filter(({ verdict }) => DEVIATIONS.includes(verdict))
  return { ...result, odd: odd.map(({ id }) => id) }
}

/** Each request and its response, one after the other. */
const sequence = (...rows: readonly (readonly [Sent, Got])[]) =>
  read(rows.map(([sent, got], index) => toEntry(sent, got, index * 100)))

function record(service: Service, ...session: readonly Sent[]) {
  const recorder = createRecorder(service)
  for (const sent of session) recorder.send(sent)
  return recorder
}

describe('the world of recorded traffic', () => {
  it('has the animals at the start, the next id and the choices', async () => {
    const assume = { 'list-order': 'newest-first', 'default-status': 'pending' } as const
    const service = createMockService({ pets, nextId: 9, assume } as never)
    const { entries } = record(service, list, create('{"name":"New","categoryId":1}'), list)
    const { scenario, rows } = await read(entries)
    expect(rows).toEqual({ judged: 3, explained: 3 })
    expect(scenario.pets).toEqual(pets)
    expect(scenario.assume).toMatchObject(assume)
  })

  it('has an animal that only a later list shows, if no earlier list hides it', async () => {
    const service = createMockService({ pets })
    const { entries } = record(service, { method: 'GET', path: '/pets?limit=1' }, get(3))
    expect((await read(entries)).scenario.pets).toEqual([pets[0], pets[2]])
  })

  it.each<[string, Sent]>([
    ['a HEAD', { method: 'HEAD', path: '/pets' }],
    ['a limit that is out of range', { method: 'GET', path: '/pets?limit=500' }],
  ])('may have other animals if all that lists them is %s', async (_, sent) => {
    const service = createMockService({ pets, assume: { 'invalid-query': 'ignore' } })
    const { entries } = record(service, get(1), sent)
    expect((await read(entries)).notes).toContainEqual(expect.stringContaining('may be others'))
  })

  it('has no key, and says what keys look like', async () => {
    const { entries } = record(createMockService({ pets }), list)
    const { scenario, notes } = await read(entries)
    expect(toJson({ scenario, notes })).not.toContain(KEY)
    expect(scenario.description).toContain('22 characters: letters, digits, -')
  })
})

describe('changes by others', () => {
  it.each<[string, Sent, Got, string]>([
    [
      'an edit',
      get(1),
      ok({ ...pets[0], status: 'pending' }),
      'animal 1 changed between #1 and #2',
    ],
    [
      'a deletion',
      get(2),
      ok({ code: 'NotFound', message: '', status: 404 }, 404),
      'animal 2 vanished',
    ],
    [
      'an addition',
      list,
      ok([...pets, { id: 4, name: 'New', categoryId: 1 }]),
      'animal 4 appeared',
    ],
  ])('explain %s between two reads', async (_, sent, got, note) => {
    const { odd, notes, rows } = await sequence([list, ok(pets)], [sent, got])
    expect(odd).toEqual([])
    expect(rows.explained).toBe(2)
    expect(notes.join('\n')).toContain(note)
  })

  it('do not explain an animal that is missing and then back', async () => {
    const gap = [pets[0], pets[2]]
    const { odd } = await sequence([list, ok(pets)], [list, ok(gap)], [list, ok(pets)])
    expect(odd).toEqual(['choice/listPets/200.[]'])
  })
})

describe('requests at the same time', () => {
  const created = { id: 4, name: 'New', categoryId: 1 }
  const creation = create('{"name":"New","categoryId":1}')

  it.each([[pets], [[...pets, created]]])(
    'may have been answered in either order',
    async (shown) => {
      const { odd, rows } = await read([
        toEntry(list, ok(pets), 0),
        toEntry(creation, ok(created, 201), 100, 50),
        toEntry(list, ok(shown), 110, 10),
        toEntry(list, ok([...pets, created]), 300),
      ])
      expect(odd).toEqual([])
      expect(rows).toEqual({ judged: 4, explained: 4 })
    },
  )

  it('are in one order if they do not overlap', async () => {
    const { odd } = await read([
      toEntry(list, ok([...pets, created]), 0),
      toEntry(creation, ok(created, 201), 100),
      toEntry(list, ok([...pets, created]), 300),
    ])
    expect(odd.length).toBeGreaterThan(0)
  })
})

describe('a HAR file', () => {
  it.each<[unknown, string]>([
    ['{', 'not JSON'],
    [{}, 'log.entries'],
    [{ log: { entries: [] } }, 'no request is for a path'],
    [{ log: { entries: [null, 1, { request: { url: 'x' } }] } }, 'no request is for a path'],
    [
      { log: { entries: [{ request: { url: 'https://a.test/v2/pets' } }] } },
      'it has /v2: another API version?',
    ],
  ])('that cannot be read gets one sentence: %j', async (har, sentence) => {
    await expect(calibrate({ har })).rejects.toThrow(sentence)
  })

  it('may have entries that say nothing, which are counted', async () => {
    const entry = toEntry(list, ok(pets), 0)
    const { notes, rows } = await read([
      entry,
      { ...entry, _fromCache: 'disk' },
      { ...entry, response: { ...entry.response, status: 0 } },
      { ...entry, request: { ...entry.request, method: 'OPTIONS' } },
      { ...entry, request: { ...entry.request, url: 'https://other.test/' } },
    ])
    expect(rows.judged).toBe(1)
    expect(notes.join('\n')).toContain('1 other address, 1 preflight, 1 cached, 1 failed')
  })

  it('may have bodies in base64, and bodies that were not recorded', async () => {
    const entry = toEntry(list, ok(pets), 0)
    const { status, headers, content } = entry.response
    const text = btoa(content.text)
    const encoded = {
      ...entry,
      response: { status, headers, content: { text, encoding: 'base64' } },
    }
    const without = { ...entry, response: { status, headers, content: { size: 9 } } }
    const { odd, rows, scenario } = await read([encoded, without])
    expect(odd).toEqual([])
    expect(rows.explained).toBe(2)
    expect(scenario.pets).toEqual(pets)
  })

  it('without any body of a response says nothing', async () => {
    const { entries } = record(createMockService({ pets }), list, get(1))
    const bare = entries.map((entry) => ({ ...entry, response: { status: 200, headers: [] } }))
    await expect(read(bare)).rejects.toThrow('no response has its body')
  })

  it('may name the type of a body only beside the body', async () => {
    const sent = { ...create('{"name":"New","categoryId":1}'), type: undefined } as never as Sent
    const got = ok({ id: 4, name: 'New', categoryId: 1 }, 201)
    const entry = toEntry(sent, got, 0)
    const postData = { mimeType: 'application/json', text: '{"name":"New","categoryId":1}' }
    const request = { ...entry.request, headers: [], postData }
    expect((await read([{ ...entry, request }])).odd).toEqual([])
  })

  it('without keys says nothing about them', async () => {
    const { entries } = record(createMockService({ pets }), list, { ...list, key: null })
    const unsigned = JSON.parse(toJson(entries).replaceAll('authorization', 'x-other'))
    const { odd, findings } = await read(unsigned)
    expect(odd).toEqual([])
    expect(findings.find(({ subject }) => subject === 'valid-keys')?.verdict).toBe('undecided')
  })
})

/** Of each kind, where a stranger's file may have one. */
const SECRETS = 5

it('puts none of 40 planted secrets of eight kinds into its result', async () => {
  const secret = (kind: string, index: number) => `${kind}SECRET${index}`
  const entries = Array.from({ length: SECRETS }, (_, index) => {
    const name = secret('name', index)
    const sent: Sent = {
      method: 'POST',
      path: `/pets?token=${secret('query', index)}&limit=${secret('limit', index)}`,
      type: 'application/json',
      key: secret('key', index),
      body: JSON.stringify({ name, categoryId: 1, note: secret('field', index) }),
    }
    const got: Got = {
      status: index === 0 ? 400 : 201,
      headers: { ...json, 'set-cookie': `id=${secret('cookie', index)}` },
      body: JSON.stringify({
        id: index,
        name,
        categoryId: 1,
        code: secret('code', index),
        message: secret('message', index),
        status: 400,
      }),
    }
    return [
      toEntry(sent, got, index * 100),
      toEntry({ ...list, path: `/pets/${secret('path', index)}` }, ok({}, 404), index * 100 + 50),
    ]
  }).flat()
  const result = await calibrate({ har: { log: { entries } } })
  expect(toJson(entries).match(/SECRET/g)?.length).toBeGreaterThanOrEqual(8 * SECRETS)
  expect(toJson(result)).not.toContain('SECRET')
})

it('accepts findings by their ids, which are the same in every run', async () => {
  const rows = [toEntry(list, ok({ items: pets }), 0), toEntry(list, ok({ items: pets }), 100)]
  const first = await read(rows)
  expect(first).toMatchObject({ outcome: 'differs', odd: ['spec/listPets/200'] })
  const har = { log: { entries: rows.slice(1) } }
  expect((await calibrate({ har, accept: first.odd })).outcome).toBe('matches')
})

it('compares with the choices already made', async () => {
  const assume = { 'default-status': 'sold' } as const
  const { entries } = record(createMockService({ assume }), create('{"name":"a","categoryId":1}'))
  const har = { log: { entries } }
  expect((await calibrate({ har })).outcome).toBe('differs')
  const { outcome, scenario } = await calibrate({ har, assume })
  expect(outcome).toBe('matches')
  expect(createMock({ scenario: scenario as never }).control.assumptions()).toContainEqual(
    expect.objectContaining({ id: 'default-status', choice: 'sold' }),
  )
})
