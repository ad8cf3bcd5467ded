// Links to recordings: the way there and back, and what strangers make of them.
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_DOCUMENT_BYTES, MAX_LINK_CHARACTERS } from '../../src/contract/limits.ts'
import { createMock, UsageError } from '../../src/index.ts'
import { isLink, readLink, writeLink } from '../../src/scenario/recording/link.ts'
import { readRecording } from '../../src/scenario/recording/read.ts'
import { toCall } from '../support/call.ts'
import { RUNS_FACTOR } from '../support/property.ts'
import { options, step, take } from './timeline.ts'

const PLAYER = 'https://player.test/play/'

function record(rows: number): string {
  const mock = createMock()
  for (let count = 0; count < rows; count++) {
    const pet = { name: `Rex ${count}`, categoryId: count }
    mock.answer(count % 3 === 0 ? toCall('POST', '/v1/pets', pet) : toCall('GET', '/v1/pets/1'))
  }
  return mock.control.recording()
}

const pack = (data: string | Uint8Array, length?: number, row = 0, format = 1) => {
  const text = deflateSync(data).toString('base64url')
  return `#${format}.${length ?? text.length}.${row}.${text}`
}

const BOMBS = [1_000, 10_000_000, 30_000_000].map((length) => pack(Buffer.alloc(length, 'x')))

/** What opening it comes to: a refusal, or the number of rows. */
async function open(link: string): Promise<UsageError | number> {
  try {
    const { recording } = await readLink(link)
    return readRecording(recording, 'link').rows.length
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
}

const refuse = async (link: string) => {
  const refusal = await open(link)
  expect(refusal).toBeInstanceOf(UsageError)
  return (refusal as UsageError).message
}

describe('a link', () => {
  it('has the recording that it was made of, byte for byte', async () => {
    const steps = fc.array(step, { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(options, steps, fc.nat(), async (given, taken, row) => {
        const mock = createMock(given)
        for (const one of taken) take(mock, one)
        const recording = mock.control.recording()
        const link = await writeLink({ recording, row })
        expect(await readLink(`${PLAYER}#${link}`)).toEqual({ recording, row: row || undefined })
      }),
      { numRuns: Math.max(100, 100 * RUNS_FACTOR) },
    )
  })

  it('keeps every character', async () => {
    const recording = '\ufeff{"format":1}\n€ 🐕 \u0000 \u2028'
    expect((await readLink(await writeLink({ recording }))).recording).toBe(recording)
  })

  it('takes few characters, and only those that stay as they are in an address and a shell', async () => {
    const [some, many] = [
      await writeLink({ recording: record(3) }),
      await writeLink({ recording: record(243) }),
    ]
    expect(some).toMatch(/^[\w.-]+$/)
    expect(some.length).toBeLessThan(2_500)
    expect(many.length).toBeLessThan(16_000)
  })

  it('can be followed by what does not belong to it', async () => {
    const recording = record(1)
    const link = await writeLink({ recording })
    for (const end of [').', '>', '_*', 'and more'])
      expect(await readLink(`${PLAYER}#${link}${end}`)).toEqual({ recording })
  })

  it('says that it is cut, wherever that is', async () => {
    const link = await writeLink({ recording: record(3) })
    const { length } = link
    expect(await refuse(`${PLAYER}#${link.slice(0, -20)}`)).toMatch(
      /^This link is cut: it has \d+ of \d+ characters; copy all of it, or ask for the file$/,
    )
    for (let end = 1; end < length; end += 7)
      expect(await refuse(`#${link.slice(0, end)}`)).toMatch(
        /^This link is cut|^This is not a link/,
      )
  })

  it.each([
    [pack(record(1), undefined, 0, 2), /^This link is newer than animal-store-mock .*; update it$/],
    ['#/timeline/12', /^This is not a link to a recording$/],
    ['', /^This is not a link to a recording$/],
    [pack(record(1)).replace(/....$/, 'AAAA'), /^This link is damaged;/],
    ['#1.4.0.????', /^This link is cut: it has 4 of|^This link is damaged/],
    [`#1.9.0.${'A'.repeat(MAX_LINK_CHARACTERS)}`, /^This link is longer than 1048576 characters$/],
    [pack(Buffer.alloc(MAX_DOCUMENT_BYTES + 1)), /^The recording in this link is longer than/],
    [pack(new Uint8Array([0xff, 0xfe])), /^This link is damaged;/],
    [pack('<script>alert(1)</script>'), /^link is not a recording of animal-store-mock$/],
  ])('%#: is refused with a reason', async (link, reason) => {
    expect(await refuse(link)).toMatch(reason)
  })

  it('is told from other texts', () => {
    expect([`${PLAYER}#1.2.0.AA`, '#1.2.0.AA', '1.2.0.AA'].map(isLink)).toEqual([true, true, true])
    const others = [
      'run.jsonl',
      'run.jsonl#12',
      '1.jsonl',
      'run#1.jsonl',
      '1.2.jsonl',
      '#/timeline',
    ]
    expect(others.map(isLink)).toEqual(others.map(() => false))
    // Reading it says what is wrong.
    expect(isLink(PLAYER)).toBe(true)
  })
})

describe('a link from a stranger', () => {
  it('is opened or refused, whatever it is: changed, cut, too long, or not one', async () => {
    const good = record(6)
    const link = await writeLink({ recording: good })
    const character = fc.constantFrom(...'ABZaz09-_.#%<>&=/"\u0000€')
    const place = fc.nat(link.length)
    const changed = fc
      .array(fc.tuple(place, character), { minLength: 1, maxLength: 5 })
      .map((edits) =>
        edits.reduce((text, [at, to]) => text.slice(0, at) + to + text.slice(at + 1), link),
      )
    const cut = fc.tuple(place, place).map(([from, to]) => link.slice(0, from) + link.slice(to))
    // Valid on the outside, so that the recording inside is what is wrong.
    const edited = fc
      .array(fc.tuple(fc.nat(good.length), fc.string({ maxLength: 4 })), {
        minLength: 1,
        maxLength: 3,
      })
      .map((edits) => {
        const text = edits.reduce(
          (all, [at, to]) => all.slice(0, at) + to + all.slice(at + 1),
          good,
        )
        return pack(text)
      })
    const head = fc
      .tuple(fc.nat(3), fc.nat(), fc.nat(), fc.string())
      .map(([format, length, row, data]) => `#${format}.${length}.${row}.${data}`)
    const bomb = fc.constantFrom(...BOMBS)
    const hostile = fc.oneof(
      { weight: 8, arbitrary: changed },
      { weight: 4, arbitrary: cut },
      { weight: 8, arbitrary: edited },
      { weight: 4, arbitrary: head },
      { weight: 2, arbitrary: fc.string() },
      { weight: 1, arbitrary: bomb },
    )
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const opened = await open(`${PLAYER}#${text.replace(/^#/, '')}`)
        expect(opened instanceof UsageError || opened >= 0).toBe(true)
      }),
      { numRuns: Math.max(1_000, 1_000 * RUNS_FACTOR) },
    )
  })

  it('is not inflated beyond the limit', async () => {
    const bomb = pack(Buffer.alloc(64_000_000))
    const before = process.memoryUsage().arrayBuffers
    expect(await refuse(bomb)).toMatch(/longer than/)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(3 * MAX_DOCUMENT_BYTES)
  })
})
