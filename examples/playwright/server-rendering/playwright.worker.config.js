import { defineConfig } from '@playwright/test'

const WORKERS = 2
const { ANIMAL_STORE_URL = 'http://127.0.0.1:7387/v1' } = process.env

/** An app for each worker, whose base address names the worker's sandbox. */
const startApp = (worker) => ({
  command: `npx next start -p ${3000 + worker}`,
  url: `http://localhost:${3000 + worker}`,
  env: { API_URL: ANIMAL_STORE_URL.replace('/v1', `/__sandbox/test-worker-${worker}/v1`) },
})

export default defineConfig({
  workers: WORKERS,
  webServer: Array.from({ length: WORKERS }, (_, worker) => startApp(worker)),
})
