import { describe, expect, it } from 'vitest'
import { createJournal, cutBody, cutNotes, type Exchange, redact } from './journal.ts'

const exchange = (body = ''): Exchange => ({
  at: 0,
  method: 'GET',
  target: '/v1/pets',
  operation: undefined,
  assumptions: [],
  faults: [],
  notes: [],
  outcome: 'sent',
  durationMs: 0,
  key: undefined,
  contentType: undefined,
  prefer: undefined,
  requestBody: '',
  answer: { status: 200, headers: {}, body },
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

  it('counts notes and header fields as well', () => {
    const journal = createJournal()
    const notes = Array.from({ length: 20 }, () => 'n'.repeat(300))
    const prefer = 'p'.repeat(16_000)
    for (let index = 0; index < 1_000; index++) journal.add({ ...exchange(), notes, prefer })
    expect(journal.entries().length * 2 * (20 * 300 + 16_000)).toBeLessThan(16 * 2 ** 20)
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

  it('cuts notes at 300 characters, and keeps 20 of them', () => {
    expect(cutNotes(['short', 'x'.repeat(301)])).toEqual(['short', `${'x'.repeat(300)}…`])
    const many = Array.from({ length: 2_000 }, (_, index) => `note ${index}`)
    expect(cutNotes(many)).toEqual([...many.slice(0, 20), 'and 1980 more'])
    expect(cutNotes(many.slice(0, 20))).toEqual(many.slice(0, 20))
  })

  it.each([
    ['secret-key', '…-key'],
    ['12345', '…2345'],
    ['1234', '…'],
    ['', '…'],
  ])('redacts %j to %s', (key, redacted) => expect(redact(key)).toBe(redacted))
})
