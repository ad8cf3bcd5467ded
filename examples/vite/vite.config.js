import { animalStore } from 'animal-store-mock/vite'
import { defineConfig } from 'vite'

/** The backend that has everything but the animals. */
const backend = process.env.BACKEND_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  // The mock answers /v1/pets and /__mock/ before the proxy sees them.
  plugins: [animalStore()],
  server: { proxy: { '/v1': { target: backend, changeOrigin: true } } },
})
