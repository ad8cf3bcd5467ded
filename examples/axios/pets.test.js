import { QueryClient } from '@tanstack/query-core'
import { mockStore } from 'animal-store-mock/vitest'
import axios from 'axios'
import { expect, it } from 'vitest'

const store = mockStore({ baseUrl: 'https://api.example.com/v1' })

/** Your client. */
const api = axios.create({ baseURL: 'https://api.example.com/v1', headers: { authorization: 'Bearer any-key' } })
const pets = { queryKey: ['pets'], queryFn: async () => (await api.get('/pets')).data, retry: 1, retryDelay: 10, staleTime: 60_000 }

it('tries again, then reads from its cache', async () => {
  store.control.faults.add({ operation: 'listPets', status: 503, times: 1 })
  const client = new QueryClient()
  expect(await client.fetchQuery(pets)).toHaveLength(18)
  expect(await client.fetchQuery(pets)).toHaveLength(18)
  expect(store.control.requests().map(({ status }) => status)).toEqual([503, 200])
})
