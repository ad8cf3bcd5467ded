import { expect, it } from 'vitest'
import { resolveTarget } from './resolve-target.ts'

it.each([
  ['/v1/x/../pets?search=a b', '/v1/pets?search=a%20b'],
  ['http://elsewhere.example/v1/pets', '/v1/pets'],
  ['//v1/pets', '//v1/pets'],
  ['/__mockery', '/__mockery'],
  ['/v1/../__mock/reset', undefined],
  ['/__mock?x', undefined],
])('a request for %s is sent to %s', (target, path) => expect(resolveTarget(target)).toBe(path))
