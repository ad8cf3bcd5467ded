import { defineConfig } from '@playwright/test'

const port = Number(process.env.APP_PORT ?? 5173)
/** A Chromium other than Playwright's own, e.g. in a container. */
const executablePath = process.env.CHROMIUM_PATH

export default defineConfig({
  testDir: 'tests',
  reporter: 'list',
  workers: 2,
  webServer: { command: `vite app --port ${port} --strictPort`, url: `http://localhost:${port}` },
  use: {
    baseURL: `http://localhost:${port}`,
    launchOptions: executablePath ? { executablePath, args: ['--no-sandbox', '--disable-gpu'] } : {},
  },
})
