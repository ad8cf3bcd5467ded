// Conversations with the mock, word for word: every status, field, message, request log row and
// event as people get them. To add one, write its request (`> GET /v1/pets`) into a file of this
// folder; `npm run accept` adds the response. Read the difference. CONTRIBUTING.md explains the
// signs.
import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { replay } from '../support/play.ts'

const folder = new URL('./', import.meta.url)
const transcripts = readdirSync(folder).filter((name) => name.endsWith('.txt'))

// Times of the real clock are part of the request log.
beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ['Date', 'performance'],
      now: Date.parse('2026-11-15T09:00:00Z'),
    }),
)
afterEach(() => void vi.useRealTimers())

it.each(transcripts)('%s has every response, log row and event as they are', async (name) => {
  await expect(await replay(readFileSync(new URL(name, folder), 'utf8'))).toMatchFileSnapshot(name)
})
