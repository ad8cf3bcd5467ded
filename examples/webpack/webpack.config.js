import { createMock } from 'animal-store-mock'
import { middleware } from 'animal-store-mock/node'

const store = { name: 'animal-store', middleware: middleware(createMock()) }

export default {
  mode: 'development',
  entry: './main.js',
  devServer: {
    // First, so that the mock answers /v1/pets and /__mock/ before a proxy or the history fallback does.
    setupMiddlewares: (middlewares) => [store, ...middlewares],
  },
}
