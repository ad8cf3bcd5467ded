// For mutation testing: the unit tests of the engine, and the specs of the service without a host, because each mutant runs them again.
import { defineConfig } from 'vitest/config'

// Stryker runs tests in threads, where a test cannot change the time zone; the tests of the clock need one that is not UTC.
process.env.TZ = 'Asia/Tokyo'

export default defineConfig({
  test: {
    include: ['src/{contract,world,operations,service}/**/*.test.ts', 'test/{service,transcripts}/*.spec.ts'],
    env: { HOSTS: 'direct' },
    testTimeout: 60_000,
    isolate: false,
  },
})
