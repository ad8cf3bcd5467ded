// What the commands print, word for word. To add one, write it (`$ status --json`) into a file of
// test/cli/transcripts, and `npm run accept` adds its output; read the difference. CONTRIBUTING.md
// explains the signs.
import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { replayCommands } from '../support/play-commands.ts'

const folder = new URL('transcripts/', import.meta.url)

// Times of the real clock are part of the log.
beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ['Date', 'performance'],
      now: Date.parse('2026-11-15T09:00:00Z'),
    }),
)
afterEach(() => void vi.useRealTimers())

it.each(readdirSync(folder))(
  'the commands print what test/cli/transcripts/%s shows',
  async (name) => {
    await expect(
      await replayCommands(readFileSync(new URL(name, folder), 'utf8')),
    ).toMatchFileSnapshot(`transcripts/${name}`)
  },
)
