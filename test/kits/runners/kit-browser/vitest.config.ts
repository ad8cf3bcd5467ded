import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

const launchOptions = { executablePath: process.env.CHROMIUM_PATH ?? '', args: (process.env.CHROMIUM_FLAGS ?? '').split(' ') }

export default defineConfig({
  test: {
    include: ['*.fixture.{ts,js}'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
