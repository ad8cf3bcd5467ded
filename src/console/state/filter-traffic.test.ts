import { describe, expect, it } from 'vitest'
import {
  allTraffic,
  filterTraffic,
  findEntry,
  mergeEntries,
  type ShownEntry,
  type TrafficFilter,
  toEntryName,
  toKeyText,
  toOutcome,
} from './filter-traffic.ts'

function toEntry(id: number, entry: Partial<ShownEntry>): ShownEntry {
  const empty = { headers: {}, body: '' }
  return {
    id,
    at: '2026-11-15T00:00:00.000Z',
    realAt: '2026-11-15T00:00:00.000Z',
    method: 'GET',
    target: '/v1/pets',
    operation: 'listPets',
    status: 200,
    assumptions: [],
    faults: [],
    notes: [],
    error: null,
    outcome: 'sent',
    durationMs: 1,
    key: null,
    request: empty,
    response: empty,
    sandbox: null,
    ...entry,
  }
}

const entries = [
  toEntry(4, { status: 0, faults: ['1'] }),
  toEntry(3, { operation: null, status: 404, target: '/v1/Nowhere' }),
  toEntry(2, { operation: 'createPet', method: 'POST', status: 503, request: { headers: {}, body: '{"name":"Bella"}' } }),
  toEntry(1, { assumptions: ['list-order'], key: '…1234', notes: ['a hint'] }),
]

describe('filterTraffic', () => {
  it.each<[filter: Partial<TrafficFilter>, ids: number[]]>([
    [{}, [4, 3, 2, 1]],
    [{ operation: 'createPet' }, [2]],
    [{ operation: 'none' }, [3]],
    [{ outcome: 'dropped' }, [4]],
    [{ outcome: '5xx' }, [2]],
    [{ onlyRemarkable: true }, [4, 1]],
    [{ search: 'nowhere' }, [3]],
    [{ search: ' bella ' }, [2]],
    [{ search: '1234' }, [1]],
    [{ search: 'list-order' }, [1]],
    [{ search: 'hint' }, [1]],
    [{ search: 'post', outcome: '2xx' }, []],
  ])('%j', (filter, ids) => {
    expect(filterTraffic(entries, { ...allTraffic, ...filter }).map(({ id }) => id)).toEqual(ids)
  })
})

it('mergeEntries keeps each once, the newest first, up to the limit', () => {
  expect(mergeEntries(entries.slice(1), entries.slice(0, 2), 3).map(({ id }) => id)).toEqual([4, 3, 2])
})

it.each<[entry: Partial<ShownEntry>, text: string | undefined]>([
  [{}, undefined],
  [{ key: '…5678' }, '…5678'],
  [{ key: '…-key', sandbox: 'ann-key' }, 'ann-key'],
  [{ request: { headers: { authorization: 'Bearer …' }, body: '' } }, 'not read'],
])('the key of %j is %s', (entry, text) => {
  expect(toKeyText(toEntry(1, entry))).toBe(text)
})

describe('entries of several worlds that count by themselves', () => {
  const at = (second: number) => `2026-11-15T00:00:0${second}.000Z`
  const ofAnn = toEntry(1, { sandbox: 'ann-key', realAt: at(3) })
  const ofBob = toEntry(1, { sandbox: 'bob-key', realAt: at(1) })
  const ofNobody = toEntry(7, { realAt: at(2) })

  it('do not hide each other, and are in the order of real time', () => {
    const ended = { ...ofBob, status: 404 }
    expect(mergeEntries([ofNobody, ofAnn, ofBob], [ended], 9)).toEqual([ofAnn, ofNobody, ended])
  })

  it('are found by number and sandbox, or by the number alone', () => {
    const all = [ofAnn, ofNobody, ofBob]
    expect(all.map((entry) => findEntry(all, toEntryName(entry)))).toEqual(all)
    expect(['1', '7.ann-key', ''].map((name) => findEntry(all, name))).toEqual([ofAnn, undefined, undefined])
  })
})

it('toOutcome', () => {
  expect([0, 200, 204, 404, 503].map(toOutcome)).toEqual(['dropped', '2xx', '2xx', '4xx', '5xx'])
})
