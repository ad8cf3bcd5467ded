// Matchers of the Playwright kit and requests whose response is delayed: they are in the mock's events, not yet in its request log.
import { expect, it } from 'vitest'
import { createLinkedProject } from '../../support/example-project.ts'

it.each(['animal-store-mock exec --sandbox -- playwright test', 'playwright test'])(
  'matchers of the Playwright kit count requests whose response is delayed: %s',
  { timeout: 60_000 },
  async (command) => {
    const { run } = createLinkedProject('test/kits/runners/kit-waiting', ['@playwright/test', 'animal-store-mock'])
    expect(await run(command, { ANIMAL_STORE_URL: '' })).toContain('1 passed')
  },
)
