import { defineConfig } from 'vite'

/** The backend that has everything but the animals. */
const backend = process.env.BACKEND_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  server: {
    proxy: {
      // The first match counts. `animal-store-mock exec -- vite` sets the address of the mock.
      '/v1/pets': new URL(process.env.ANIMAL_STORE_URL).origin,
      '/v1': { target: backend, changeOrigin: true },
    },
  },
})
