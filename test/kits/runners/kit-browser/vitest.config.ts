import { playwright } from '@vitest/browser-playwright'
import { defineConfig, mergeConfig } from 'vitest/config'
import recipe from './recipe.config.ts'

const launchOptions = { executablePath: process.env.CHROMIUM_PATH ?? '', args: (process.env.CHROMIUM_FLAGS ?? '').split(' ') }

/** The settings of docs/recipes.md, with our own browser. */
export default mergeConfig(
  recipe,
  defineConfig({
    test: { include: ['*.fixture.{ts,js}'], browser: { screenshotFailures: false, provider: playwright({ launchOptions }) } },
  }),
)
