// The door `animal-store-mock/node`.
export { type ServeOptions, type Serving, serve } from './serve.ts'
