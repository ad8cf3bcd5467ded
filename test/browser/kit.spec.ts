// The Vitest kit in Vitest's browser mode, where MSW's server cannot run, with the component test
// of docs/recipes.md.
import { expect, it } from 'vitest'
import { createLinkedProject } from '../support/example-project.ts'
import { FLAGS, getChromium } from './chromium.ts'

it('the Vitest kit replaces fetch by default in a browser', async () => {
  const packages = [
    'vitest',
    'vite',
    'playwright',
    '@vitest/browser-playwright',
    'animal-store-mock',
    'msw',
  ]
  const { run } = createLinkedProject('test/kits/runners/kit-browser', packages)
  const output = await run('vitest run', {
    CHROMIUM_PATH: getChromium(),
    CHROMIUM_FLAGS: FLAGS.join(' '),
    NO_COLOR: '1',
  })
  expect(output).toMatch(/Tests +2 passed/)
})
