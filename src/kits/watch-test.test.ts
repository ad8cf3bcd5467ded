import { expect, it } from 'vitest'
import type { Control } from '../control/control.ts'
import { createMock } from '../mock/mock.ts'
import { MISSTEPS, type Misstep } from './kit-options.ts'
import { watchTest } from './watch-test.ts'

const watch = (failOn: readonly Misstep[], control: Control) =>
  watchTest(failOn, {
    ...{ pending: new Set(), timeout: 1, hint: () => '', recording: () => '' },
    ...{ requests: control.requests, faults: control.faults.list, rows: () => control.timeline() },
    alternatives: async ({ id }) => control.whatIf(id, { alternatives: true }),
  })

it('a fault after a load of the test is its own, whatever its id', async () => {
  const { control } = createMock({ faults: [{ operation: 'listPets', status: 503 }] })
  const end = await watch(['unused-fault'], control)
  control.reset()
  expect(await end({ name: 'a test', hasFailed: false, callSite: '' })).toBeUndefined()
  control.load({ pets: [] })
  control.faults.add({ operation: 'createPet', status: 500 })
  const { problem } = (await end({ name: 'a test', hasFailed: false, callSite: '' })) ?? {}
  expect(problem).toMatchObject({ message: expect.stringMatching(/unused-fault: 1: createPet/) })
})

it('a test that fails learns what would have helped its last request that failed, a dropped one too', async () => {
  const { control, answer } = createMock()
  const end = await watch([], control)
  control.faults.add({ operation: 'listPets', drop: true })
  answer({ method: 'GET', target: '/v1/pets', headers: { authorization: 'Bearer any-key' } })
  const { log } = (await end({ name: 'a test', hasFailed: true, callSite: '' })) ?? {}
  expect(log).toMatch(/without fault 1 .*200$/m)
})

it.each([
  ['a delay, so', { delay: 1 }, true],
  ['that status, so not', { status: 400 }, false],
])('with a fault of %s a bad request of the app counts', (_, fault, counts) => {
  const { control, answer } = createMock({ faults: [{ operation: '*', ...fault }] })
  answer({ method: 'POST', target: '/v1/pets', headers: { authorization: 'Bearer any-key' } })
  expect(control.requests().map(MISSTEPS['bad-request'])).toEqual([counts])
})
