// A suite that fails, run by kit-failures.spec.ts to read what it prints.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['*.fixture.ts'],
    reporters: ['default', ['json', { outputFile: process.env.REPORT }]],
  },
})
