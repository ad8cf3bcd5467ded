// Functions with what they should not be given: each throws a UsageError, changes nothing and tells
// no listener. To add a case, write its line into wrong-calls.txt and run this spec with `-u`.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { replayCalls } from '../support/play-calls.ts'

it('functions refuse wrong arguments, and nothing changes', async () => {
  const transcript = readFileSync(new URL('wrong-calls.txt', import.meta.url), 'utf8')
  await expect(await replayCalls(transcript)).toMatchFileSnapshot('wrong-calls.txt')
})
