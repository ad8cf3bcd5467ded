import createClient from 'openapi-fetch'
import type { paths } from './paths.ts'

/** Created when it is imported, so that it keeps the fetch of that moment. */
export const client = createClient<paths>({ baseUrl: 'https://api.example.com/v1', headers: { authorization: 'Bearer any-key' } })
