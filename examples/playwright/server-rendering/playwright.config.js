import { defineConfig } from '@playwright/test'

const { ANIMAL_STORE_URL = 'http://127.0.0.1:7387/v1' } = process.env

export default defineConfig({
  workers: 2,
  use: { baseURL: 'http://localhost:3000' },
  webServer: { command: 'npm start', url: 'http://localhost:3000', env: { API_URL: ANIMAL_STORE_URL } },
})
