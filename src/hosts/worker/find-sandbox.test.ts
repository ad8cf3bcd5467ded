import { expect, it } from 'vitest'
import type { BoundSettings } from './bindings.ts'
import { findSandbox } from './find-sandbox.ts'

const TOKEN = 'the-control-token'
const settings = { options: { sandbox: true }, token: TOKEN }

const find = (
  method: string,
  target: string,
  bearer: string | undefined,
  given: Partial<typeof settings> = {},
  headers: Record<string, string> = {},
) =>
  findSandbox(
    {
      method,
      target,
      headers: { ...headers, ...(bearer && { authorization: `Bearer ${bearer}` }) },
    },
    {
      ...settings,
      ...given,
    } as BoundSettings,
  )

it.each<[method: string, target: string, bearer: string | undefined, key: string | undefined]>([
  ['GET', '/v1/pets', 'ann', 'ann'],
  ['GET', '/v1/pets', undefined, undefined],
  ['GET', '/nowhere', 'ann', 'ann'],
  ['OPTIONS', '/v1/pets', 'ann', undefined],
  ['OPTIONS', '/nowhere', 'ann', 'ann'],
  ['GET', '/v1/pets', TOKEN, undefined],
  ['GET', '/v1/pets?sandbox=ben', 'ann', 'ann'],
  ['GET', '/__sandbox/w1/v1/pets', 'ann', 'w1'],
  ['GET', '/__sandbox/w1/v1/pets', undefined, undefined],
  ['OPTIONS', '/__sandbox/w1/v1/pets', undefined, undefined],
  ['GET', '/__sandbox/w1/v1/pets', TOKEN, undefined],
  ['GET', '/__sandbox/a%20b/v1/pets', 'ann', undefined],
  ['GET', '/__mock/state', TOKEN, undefined],
  ['GET', '/__mock/state?sandbox=ann', TOKEN, 'ann'],
  ['GET', '/__mock/state?sandbox=ann', 'a-wrong-token', undefined],
  ['GET', '/__mock/state?sandbox=ann', undefined, undefined],
  ['GET', '/__mock/state?sandbox=ann&sandbox=ben', TOKEN, undefined],
  ['GET', '/__mock/state?sandbox=a%20b', TOKEN, undefined],
  ['GET', '/__mock/state?sandbox=%zz', TOKEN, undefined],
  ['GET', '/__mock/sandboxes', TOKEN, undefined],
  ['DELETE', '/__mock/sandboxes/ben', TOKEN, undefined],
  ['DELETE', '/__mock/faults/sandboxes?sandbox=ann', TOKEN, 'ann'],
  ['DELETE', '/__mock/faults/traffic?sandbox=ann', TOKEN, 'ann'],
  ['GET', '/__mock/requests?sandbox=*', TOKEN, undefined],
])('%s %s with the token %s belongs to the sandbox of %s', (method, target, bearer, key) =>
  expect(find(method, target, bearer)).toBe(key),
)

it('every request belongs to the shared state when sandboxes are off', () => {
  expect(find('GET', '/v1/pets', 'ann', { options: { sandbox: false } })).toBeUndefined()
  expect(
    find('GET', '/__mock/state?sandbox=ann', TOKEN, { options: { sandbox: false } }),
  ).toBeUndefined()
})

it('a header or a cookie chooses a sandbox of the service, and none of the control API', () => {
  const choosing = [{ 'x-mock-sandbox': 'w1' }, { cookie: 'mock-sandbox=w1' }]
  for (const headers of choosing) {
    expect(find('GET', '/v1/pets', 'ann', {}, headers)).toBe('w1')
    expect(find('GET', '/__mock/state', TOKEN, {}, headers)).toBeUndefined()
  }
})
