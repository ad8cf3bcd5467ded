import { defineConfig } from '@playwright/test'

export default defineConfig({
  testMatch: '*.playwright.ts',
  reporter: [['json', { outputFile: 'report.json' }]],
  workers: 2,
})
