import { defineConfig } from 'cypress'

export default defineConfig({
  // The mock serves the API only: `baseUrl` is your app, which calls the same address.
  e2e: { baseUrl: 'http://localhost:5173', env: { ANIMAL_STORE_URL: process.env.ANIMAL_STORE_URL } },
})
