import { createMock, type Pet, type Pets, type paths } from 'animal-store-mock'
import { scenarios } from 'animal-store-mock/scenarios'
import { isSafeNumber, parse } from 'lossless-json'
import createClient from 'openapi-fetch'
import { expect, it } from 'vitest'

/** JSON with ids that are exact: a number where a number holds it, a bigint beyond. */
function parseExactly(text: string): unknown {
  return parse(text, undefined, (digits) => (isSafeNumber(digits) ? Number(digits) : BigInt(digits)))
}

const mock = createMock({ scenario: scenarios['big-ids'] })
const client = createClient<paths>({
  baseUrl: 'https://api.example.com/v1',
  headers: { authorization: 'Bearer any-key' },
  fetch: mock.fetch,
})

it('reads ids beyond 2^53 exactly, and asks for them again', async () => {
  const { data } = await client.GET('/pets', { parseAs: 'text' })
  const pets = parseExactly(data as string) as Pets
  const { id } = pets.find(({ name }) => name === 'Above 2^53') as Pet
  expect(id).toBe(9007199254740993n)
  const one = await client.GET('/pets/{petId}', { params: { path: { petId: id } }, parseAs: 'text' })
  expect(parseExactly(one.data as string)).toMatchObject({ id, name: 'Above 2^53' })
})

it('rounds them with response.json()', async () => {
  const { data } = await client.GET('/pets')
  expect(data?.find(({ name }) => name === 'Above 2^53')?.id).toBe(9007199254740992)
})
