import { expect, it } from 'vitest'
import { UsageError } from '../../contract/errors.ts'
import { createMock } from '../../mock/mock.ts'
import type { TimedFault } from '../../world/faults.ts'
import { parseFault } from './parse-fault.ts'

const add = (text: string) => createMock({ faults: [parseFault(text)] }).control.faults.list()[0]

it.each<[text: string, fault: TimedFault]>([
  ['createPet=503', { operation: 'createPet', status: 503 }],
  ['createPet=503:2', { operation: 'createPet', status: 503, times: 2 }],
  ['createPet=503:times=2', { operation: 'createPet', status: 503, times: 2 }],
  ['*=500', { operation: '*', status: 500 }],
  ['*=500@0.3', { operation: '*', status: 500, rate: 0.3 }],
  ['listPets=drop', { operation: 'listPets', drop: true }],
  ['createPet=lost:2', { operation: 'createPet', lost: true, times: 2 }],
  ['listPets=rst:2', { operation: 'listPets', rst: true, times: 2 }],
  ['listPets=cut', { operation: 'listPets', body: 'cut' }],
  ['listPets=slow=2kB/s', { operation: 'listPets', slow: 2_000 }],
  ['listPets=slow=1.5MB/s:2', { operation: 'listPets', slow: 1_500_000, times: 2 }],
  [
    'listPets.status=sold=slow=500B/s:503',
    { operation: 'listPets', when: { query: { status: 'sold' } }, slow: 500, status: 503 },
  ],
  ['listPets=truncated:2', { operation: 'listPets', body: 'truncated', times: 2 }],
  ['listPets=200ms:2', { operation: 'listPets', delay: 200, times: 2 }],
  ['listPets=drop:1@.5', { operation: 'listPets', drop: true, times: 1, rate: 0.5 }],
  ['listPets=drop:after=3', { operation: 'listPets', drop: true, after: 3 }],
  ['listPets=200:truncated', { operation: 'listPets', status: 200, body: 'truncated' }],
  ['listPets=empty', { operation: 'listPets', body: 'empty' }],
  ['listPets=html:503', { operation: 'listPets', body: 'html', status: 503 }],
  ['createPet=429:retry-after=30', { operation: 'createPet', status: 429, retryAfter: 30 }],
  [
    'getPet/9007199254740993=502:html:2',
    { operation: 'getPet', petId: 9007199254740993n, status: 502, body: 'html', times: 2 },
  ],
  ['listPets=503:200-800ms', { operation: 'listPets', status: 503, delay: [200, 800] }],
  ['listPets=100ms', { operation: 'listPets', delay: 100 }],
  ['listPets=100ms:503', { operation: 'listPets', delay: 100, status: 503 }],
  ['listPets=1.5s:503:2', { operation: 'listPets', delay: 1_500, status: 503, times: 2 }],
  [
    'listPets.status=sold=503:1',
    { operation: 'listPets', when: { query: { status: 'sold' } }, status: 503, times: 1 },
  ],
  [
    'createPet.categoryId=7=drop',
    { operation: 'createPet', when: { body: { categoryId: 7 } }, drop: true },
  ],
  [
    'createPet.name=a%3Db%40c=429:retry-after=3@0.5',
    {
      operation: 'createPet',
      when: { body: { name: 'a=b@c' } },
      status: 429,
      retryAfter: 3,
      rate: 0.5,
    },
  ],
  ['listPets.page==500', { operation: 'listPets', when: { query: { page: '' } }, status: 500 }],
  ['listPets=PT1S', { operation: 'listPets', delay: 1_000 }],
])('a fault in one word is read from %s', (text, fault) =>
  expect(add(text)).toEqual({ ...fault, id: '1', seen: 0, applied: 0 }),
)

it.each([
  ...[
    '',
    '=503',
    'createPet',
    'createPet=',
    'createPet=503 ',
    'createPet=503:',
    'createPet=503:2:3',
    'createPet=503:0',
  ],
  ...[
    'createPet=drop:drop',
    'createPet=drop:lost',
    'createPet=slow',
    'createPet=slow=0B/s',
    'createPet=slow=2',
    'createPet=503:1.5',
    'createPet=html:1.5',
  ],
  ...[
    'pets=503',
    'createPet=200',
    'createPet=html:503:drop',
    'createPet=500@2',
    'createPet=500@x',
    'createPet=500@',
    'listPets=2',
  ],
  ...[
    'createPet/7=500',
    'getPet/99999999999999999999=500',
    'listPets=204:html',
    'listPets=soon',
    'listPets=61s',
    'listPets=drop@',
  ],
  ...['*.status=sold=503', 'listPets.status=sold', 'listPets.=x=503', 'listPets.status=%zz=503'],
  ...[
    'createPet=retry-after=30',
    'createPet=429:retry-after=',
    'createPet=429:retry-after=1s',
    'createPet=429:__proto__=1',
  ],
])('a fault in one word cannot be written as %j', (text) =>
  expect(() => add(text)).toThrow(UsageError),
)

it('several faults in one word are refused as such', () => {
  const text = 'createPet=503,listPets=503'
  expect(() => add(text)).toThrow(`expected one fault at a time, got "${text}"`)
})

it.each([
  ['creatPet=503', 'createPet'],
  ['listPets=503:trunkated', 'truncated'],
  ['listPets=503:retryafter=3', 'retry-after='],
])('a fault in one word written as %s is refused with the suggestion %s', (text, near) =>
  expect(() => add(text)).toThrow(`did you mean ${near}?`),
)
