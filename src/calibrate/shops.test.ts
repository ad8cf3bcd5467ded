import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toFetch } from '../../test/support/create-shop.ts'
import { listEverything, SHOPS } from '../../test/support/shops.ts'
import { createRecorder, drawRequest, KEY } from '../../test/support/traffic.ts'
import { createRandom } from '../contract/random.ts'
import { type Calibration, calibrate } from './calibrate.ts'
import { DEVIATIONS } from './finding.ts'

const FURTHER_REQUESTS = 60
const HIGHEST_ID = 20

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.setTimerTickMode('nextTimerAsync')
})
afterEach(() => void vi.useRealTimers())

function listDeviations({ findings }: Calibration): string[] {
  return findings.filter(({ verdict }) => DEVIATIONS.includes(verdict)).map(({ id }) => id)
}

describe.each(Object.entries(SHOPS))('a service that %s', (_, { open, expected }) => {
  it('is blamed for that alone, from probes', async () => {
    const fetch = toFetch(open())
    const baseUrl = 'https://store.test/v1'
    const result = await calibrate({ baseUrl, apiKey: KEY, fetch, probe: 'create-animal' })
    expect(listDeviations(result).sort()).toEqual([...expected].sort())
  })

  it('is blamed for that alone, from traffic', async () => {
    const recorder = createRecorder(open())
    const random = createRandom(FURTHER_REQUESTS)
    for (const sent of listEverything()) recorder.send(sent)
    for (let index = 0; index < FURTHER_REQUESTS; index++)
      recorder.send(drawRequest(random, HIGHEST_ID))
    const result = await calibrate({ har: recorder.har() })
    expect(listDeviations(result).sort()).toEqual([...expected].sort())
    expect(result.notes.filter((note) => note.startsWith('animal'))).toEqual([])
  })
})
