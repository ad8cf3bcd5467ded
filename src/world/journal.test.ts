import { describe, expect, it } from 'vitest'
import { createJournal, cutBody, type Exchange, redact } from './journal.ts'

const exchange = (body = '', target = '/v1/pets'): Exchange => ({
  at: 0,
  method: 'GET',
  target,
  operation: null,
  status: 200,
  assumptions: [],
  faults: [],
  notes: [],
  durationMs: 0,
  key: null,
  request: { headers: {}, body: '' },
  answer: { headers: {}, body },
})

describe('the journal', () => {
  it('keeps the last thousand and numbers on', () => {
    const journal = createJournal()
    for (let index = 0; index < 5_432; index++) journal.add(exchange())
    const entries = journal.entries()
    expect(entries).toHaveLength(1_000)
    expect([entries[0]?.id, entries.at(-1)?.id]).toEqual([4_433, 5_432])
  })

  it('keeps at most 16 MiB', () => {
    const journal = createJournal()
    for (let index = 0; index < 1_000; index++) journal.add(exchange('x'.repeat(16_384)))
    const characters = journal.entries().reduce((sum, entry) => sum + entry.answer.body.length, 0)
    expect(characters * 2).toBeLessThan(16 * 2 ** 20)
    expect(characters * 2).toBeGreaterThan(15 * 2 ** 20)
  })

  it('keeps none with a capacity of 0', () => {
    const journal = createJournal(0)
    expect(journal.add(exchange())).toBe(1)
    expect(journal.add(exchange())).toBe(2)
    expect(journal.entries()).toEqual([])
  })

  it('is empty after it was cleared, and numbers on', () => {
    const journal = createJournal()
    journal.add(exchange())
    journal.clear()
    expect(journal.entries()).toEqual([])
    expect(journal.add(exchange())).toBe(2)
    expect(journal.entries().map(({ id }) => id)).toEqual([2])
  })
})

describe('what it keeps of a message', () => {
  it('cuts bodies at 16 KiB', () => {
    expect(cutBody('x'.repeat(16_384))).toHaveLength(16_384)
    expect(cutBody('x'.repeat(16_385))).toBe(`${'x'.repeat(16_384)}…`)
  })

  it.each([
    ['secret-key', '…-key'],
    ['12345', '…2345'],
    ['1234', '…'],
    ['', '…'],
  ])('redacts %j to %s', (key, redacted) => expect(redact(key)).toBe(redacted))
})
