// Matchers of the Playwright kit and requests whose response is held back: they are in the mock's events, not yet in its journal.
import { expect, it } from 'vitest'
import { createLinkedProject } from './support/example-project.ts'

it.each(['sandbox', 'server'])('matchers know of delayed responses, with the mode %s', { timeout: 60_000 }, async (MODE) => {
  const { run } = createLinkedProject('test/kit-waiting', ['@playwright/test', 'animal-store-mock'])
  const command = MODE === 'sandbox' ? 'animal-store-mock exec --sandbox -- playwright test' : 'playwright test'
  expect(await run(command, { MODE })).toContain('1 passed')
})
