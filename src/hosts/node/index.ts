// The door `animal-store-mock/node`.
export { loadScenario } from '../../scenario/files.ts'
export { type ServeOptions, type Serving, serve } from './serve.ts'
