// Runs store.pw.ts against the little app beside it; the suite that starts this says where both are.
import { defineConfig } from '@playwright/test'

const { APP_URL = '', CHROMIUM = '', OUTPUT = '' } = process.env

export default defineConfig({
  testMatch: '*.pw.ts',
  outputDir: OUTPUT,
  reporter: 'list',
  workers: 2,
  use: { baseURL: APP_URL, launchOptions: { executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] } },
})
