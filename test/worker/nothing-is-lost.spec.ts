// A sandbox survives a kill of its process unchanged.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, startWorkerd, type Workerd } from '../support/workerd.ts'
import { type Client, createClient, TOKEN } from './http.ts'

let first: Workerd
let workerd: Workerd
let client: Client

beforeAll(async () => {
  first = await startWorkerd({ bindings: { CONTROL_TOKEN: TOKEN } })
  workerd = first
  client = createClient(() => workerd.port)
})
afterAll(async () => {
  await workerd.kill()
  await first.stop()
})

async function restart(): Promise<void> {
  await workerd.kill()
  workerd = await launch(workerd.folder)
}

/** Everything that the control API shows of a sandbox. */
async function look(key: string): Promise<Record<string, unknown>> {
  const parts = ['state', 'requests', 'faults', 'clock', 'diff', 'assumptions', 'health']
  const seen = await Promise.all(
    parts.map(async (part) => [part, await client.control('GET', `/${part}?sandbox=${key}`)]),
  )
  return Object.fromEntries(seen)
}

/** The request log is written within a second. */
async function untilLogIsKept(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1_100))
}

describe('a sandbox whose process is killed', () => {
  it('comes back with the same animals, ids, faults, counters, assumptions, clock and requests', async () => {
    const key = 'whole'
    await client.create(key, 'Rex 🐕')
    await client.control('PUT', `/clock?sandbox=${key}`, {
      now: '2030-12-04T12:00:00Z',
      frozen: true,
    })
    await client.control('PUT', `/assumptions?sandbox=${key}`, { 'error-codes': 'snake' })
    await client.control('POST', `/faults?sandbox=${key}`, {
      operation: 'listPets',
      status: 503,
      rate: 0.5,
    })
    await client.control('POST', `/faults?sandbox=${key}`, {
      operation: 'getPet',
      delay: 1,
      times: 3,
    })
    await client.control('DELETE', `/faults/1?sandbox=${key}`)
    await client.control('POST', `/faults?sandbox=${key}`, {
      operation: 'listPets',
      status: 503,
      rate: 0.5,
    })
    for (const path of ['/v1/pets', '/v1/pets', '/v1/pets/1', '/v1/pets/999', '/v1/pets?limit=0'])
      await client.ask({ path, key })
    await client.create(key, 'Mia')
    await untilLogIsKept()
    const before = await look(key)
    await restart()
    expect(await look(key)).toEqual(before)
    expect((await client.create(key, 'Next')).text).toContain('"id":21')
    expect(
      await client.control('POST', `/faults?sandbox=${key}`, {
        operation: 'createPet',
        drop: true,
      }),
    ).toMatchObject({ id: '4' })
  })

  it('keeps its loaded scenario, and a reset restores it', async () => {
    const key = 'reset'
    await client.control('PUT', `/state?sandbox=${key}`, { name: 'sold-out' })
    const loaded = await client.control('GET', `/state?sandbox=${key}`)
    await client.create(key, 'Rex')
    await restart()
    expect(await client.control('GET', `/health?sandbox=${key}`)).toMatchObject({
      scenario: 'sold-out',
    })
    expect(await client.control('GET', `/diff?sandbox=${key}`)).toMatchObject({
      pets: { added: [expect.anything()] },
    })
    await client.control('POST', `/reset?sandbox=${key}`)
    await restart()
    expect(await client.control('GET', `/state?sandbox=${key}`)).toEqual(loaded)
    expect(await client.control('GET', `/requests?sandbox=${key}`)).toEqual([])
  })

  it('keeps a scenario that is too large for one row of the storage', async () => {
    const key = 'large'
    // An odd length before the first pair of surrogates, so that the plain cut would go through
    // one.
    const pets = Array.from({ length: 40 }, (_, index) => ({
      id: index + 1,
      name: `x${'🐕'.repeat(20_000)}`,
      categoryId: 1,
    }))
    await client.control('PUT', `/state?sandbox=${key}`, { name: 'large', pets })
    const before = await client.control('GET', `/state?sandbox=${key}`)
    await restart()
    expect(await client.control('GET', `/state?sandbox=${key}`)).toEqual(before)
  })

  it('has every animal that a client has seen, even if it is killed during requests', async () => {
    const keys = ['during-1', 'during-2', 'during-3', 'during-4']
    const confirmed = new Map<string, string[]>(keys.map((key) => [key, []]))
    let sent = 0
    let isKilled = false
    let enough = () => {}
    const createOn = async (key: string) => {
      while (!isKilled) {
        if (++sent % 150 === 0) enough()
        const answer = await client.create(key, `animal ${sent}`).catch(() => undefined)
        if (answer?.status === 201) confirmed.get(key)?.push(answer.text)
      }
    }
    // Other clients look for the next animal, and may see it before its creator gets a response.
    const next = new Map<string, number>(keys.map((key) => [key, 19]))
    const lookOn = async (key: string) => {
      while (!isKilled) {
        const id = next.get(key) as number
        const answer = await client.ask({ path: `/v1/pets/${id}`, key }).catch(() => undefined)
        if (answer?.status !== 200) continue
        confirmed.get(key)?.push(answer.text)
        next.set(key, id + 1)
      }
    }
    for (let round = 0; round < 3; round++) {
      isKilled = false
      const busy = keys.flatMap((key) => [createOn(key), createOn(key), createOn(key), lookOn(key)])
      await new Promise<void>((resolve) => {
        enough = resolve
      })
      await workerd.kill()
      isKilled = true
      await Promise.all(busy)
      workerd = await launch(workerd.folder)
    }
    let found = 0
    for (const key of keys) {
      const { pets } = (await client.control('GET', `/state?sandbox=${key}`)) as {
        pets: { id: number; name: string; categoryId: number }[]
      }
      const texts = pets.map((pet) => JSON.stringify(pet))
      expect(texts).toEqual(expect.arrayContaining(confirmed.get(key) as string[]))
      expect(new Set(pets.map(({ id }) => id)).size).toBe(pets.length)
      found += confirmed.get(key)?.length ?? 0
    }
    expect(found).toBeGreaterThan(100)
  })
})

describe('a sandbox that is removed', () => {
  it('is gone from the list and from the storage, and starts again', async () => {
    await client.create('removed', 'Rex')
    expect(await client.control('GET', '/sandboxes')).toContain('removed')
    await client.control('DELETE', '/sandboxes/removed')
    expect(await client.control('GET', '/sandboxes')).not.toContain('removed')
    await restart()
    expect(await client.control('GET', '/health?sandbox=removed')).toMatchObject({ pets: 18 })
    expect(await client.control('GET', '/sandboxes')).not.toContain('removed')
    const again = await client.ask({
      method: 'DELETE',
      path: '/__mock/sandboxes/removed',
      key: TOKEN,
    })
    expect([again.status, JSON.parse(again.text).message]).toEqual([
      404,
      'Sandbox removed not found',
    ])
  })
})
