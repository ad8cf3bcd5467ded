// `calibrate` on another implementation of the spec: Prism, which remembers nothing and sends the examples of the spec.
import { expect, it, onTestFinished } from 'vitest'
import { calibrate } from '../../src/calibrate/calibrate.ts'
import { startPrism } from '../support/prism.ts'

it('names every way in which Prism is not the service, and nothing else', async () => {
  const prism = await startPrism()
  onTestFinished(prism.stop)
  const { outcome, findings } = await calibrate({ baseUrl: `http://127.0.0.1:${prism.port}`, apiKey: 'any-key', probe: 'create-animal' })
  expect(outcome).toBe('differs')
  const fine = ['as specified', 'confirmed', 'undecided']
  expect(findings.filter(({ verdict }) => !fine.includes(verdict)).map(({ verdict, subject }) => `${verdict}: ${subject}`)).toEqual([
    // It ignores limits and filters, and always sends the same animal.
    'violates the spec: GET /pets?status=sold&limit=1',
    // Its refusals are not in the shape of the spec's errors.
    'violates the spec: GET /pets?limit=0',
    'violates the spec: GET /pets?limit=101&status=animal-store-mock-probe',
    'violates the spec: GET /pets/{listed id}',
    // It knows no integers beyond 2^53.
    'violates the spec: GET /pets/4611686018427387905',
    'violates the spec: GET /pets/animal-store-mock-probe',
    'violates the spec: GET /pets without a key',
    'violates the spec: GET /pets/{listed id} without a key',
    'violates the spec: POST /pets {"name":"animal-store-mock probe {date}","categoryId":{listed category},"animal-store-mock-probe":true}',
    'violates the spec: POST /pets without a key {"name":"animal-store-mock probe {date}","categoryId":4611686018427387905}',
    'no choice fits: invalid-query',
    'differs: default-status',
    'no choice fits: invalid-pet-id',
    'no choice fits: unknown-category',
    'differs: sunset-header',
    'undocumented: Error.type',
    'undocumented: Error.title',
    'undocumented: Error.detail',
    'undocumented: Error.validation',
  ])
})
