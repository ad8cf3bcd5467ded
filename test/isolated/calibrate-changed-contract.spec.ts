// Calibrate follows the contract: if names get bounds, it sends names within them, and real names
// are not too short for it.
import { expect, it, onTestFinished, vi } from 'vitest'
import { calibrate } from '../../src/calibrate/calibrate.ts'
import { createMock } from '../../src/index.ts'

vi.mock('../../src/contract/generated/contract.ts', async (load) => {
  const original = await load<{ readonly contract: object }>()
  const changed = JSON.stringify(original.contract).replaceAll(
    '"name":{"type":"string"}',
    '"name":{"type":"string","minLength":40,"maxLength":50}',
  )
  return { ...original, contract: JSON.parse(changed) }
})

it('calibrate matches with a mock whose names have bounds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.setTimerTickMode('nextTimerAsync')
  onTestFinished(() => void vi.useRealTimers())
  const pets = ['x', 'y'].map((letter) => ({ name: letter.repeat(45), categoryId: 1 }))
  const { fetch, control } = createMock({ pets })
  const { outcome, findings } = await calibrate({
    baseUrl: 'https://store.test/v1',
    apiKey: 'a-key',
    probe: 'create-animal',
    fetch,
  })
  expect(findings.filter(({ verdict }) => /violates|fits|check/.test(verdict))).toEqual([])
  expect(outcome).toBe('matches')
  const created = control.state().pets?.at(-1)
  expect(created?.name).toMatch(/^animal-store-mock probe \d{4}-\d\d-\d\d/)
  expect(created?.name).toHaveLength(40)
})
