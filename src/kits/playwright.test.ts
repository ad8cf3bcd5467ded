import { afterEach, expect, it, vi } from 'vitest'
import { UsageError } from '../contract/errors.ts'
import { withStore } from './playwright.ts'

afterEach(() => vi.unstubAllEnvs())

/** The address of the store, without Playwright: its `extend` gets the fixtures. */
async function findUrl(url?: string): Promise<string> {
  const base = { extend: (fixtures: object) => fixtures, expect: { extend: () => {} } }
  const { apiUrl } = withStore(base as never, url === undefined ? {} : { url }) as never as {
    apiUrl: [(_: object, use: unknown) => unknown]
  }
  return new Promise((resolve) => apiUrl[0]({}, resolve))
}

it('withStore reads addresses as the command line does, and names a variable that it refuses', async () => {
  vi.stubEnv('ANIMAL_STORE_URL', 'localhost:7387')
  expect(await findUrl()).toBe('http://localhost:7387/v1')
  expect(await findUrl('HTTP://mock.test/api/v1/')).toBe('http://mock.test/api/v1')
  vi.stubEnv('ANIMAL_STORE_CONTROL_TOKEN', 'a-token-of-some-length…')
  await expect(findUrl()).rejects.toThrow(/^ANIMAL_STORE_CONTROL_TOKEN: expected a bearer token/)
})

it.each([undefined, {}, { scenario: 'sold-out' }])(
  'withStore refuses %j in the place of the test of Playwright',
  (base) => {
    expect(() => withStore(base as never)).toThrow(UsageError)
  },
)
