// One request does not end the mock or keep others waiting: every place that a client can write to, filled to its limit with what takes
// time to take apart. How the cost grows is measured in bench/growth.ts.
import { expect, it } from 'vitest'
import { startCli } from '../support/cli-process.ts'
import { createOwnTime } from '../support/own-time.ts'
import { DOCUMENT_PLACES, fill, PLACES, UNITS } from '../support/places.ts'
import { createRawClient, type RawAnswer, type RawRequest } from '../support/raw-client.ts'

/** Processor time of the thread that answers. The slowest takes a third of it on a machine that does nothing else. */
const MAX_COST_MS = 1_000

async function startMock(args: readonly string[]) {
  const { url, child } = await startCli(['--log', 'json', '--api-key', 'any-key', 'another-listed-key', ...args])
  const client = createRawClient(Number(new URL(url).port))
  const ownTime = createOwnTime(child.pid as number)
  return {
    child,
    client,
    async measure(request: RawRequest): Promise<{ cost: number; answer: RawAnswer | undefined }> {
      const before = ownTime()
      // A request that is refused before its body has arrived may end its connection.
      const answer = await client.ask(request).catch(() => undefined)
      return { cost: ownTime() - before, answer }
    },
  }
}

it('costs less than a second, whatever fills the place', { timeout: 180_000 }, async () => {
  const { measure, child, client } = await startMock([])
  const documents = Object.keys(DOCUMENT_PLACES)
  const dear: string[] = []
  for (const [name, { bytes, request }] of Object.entries({ ...PLACES, ...DOCUMENT_PLACES })) {
    const turn = documents.indexOf(name)
    for (const unit of turn < 0 ? UNITS : UNITS.slice(turn, turn + 1)) {
      const { cost } = await measure(request(fill(unit, bytes)))
      if (cost >= MAX_COST_MS) dear.push(`${name} full of ${JSON.stringify(unit)}: ${cost} ms`)
      expect(child.exitCode, `${name} full of ${JSON.stringify(unit)} ends the mock`).toBeNull()
    }
    if (name === 'a form') expect((await measure({ target: '/__mock/requests' })).cost).toBeLessThan(MAX_COST_MS)
  }
  expect(dear).toEqual([])
  expect((await measure({ target: '/__mock/health' })).answer?.status).toBe(200)
  client.close()
})

it.each([['--no-control'], ['--allowed-host', 'only.test']])('also with %s', async (...args) => {
  const { measure, child, client } = await startMock(args)
  for (const unit of UNITS) {
    const { bytes, request } = PLACES['Authorization of the control API'] as (typeof PLACES)[string]
    const given = request(fill(unit, bytes))
    const { answer } = await measure({ ...given, fields: [...(given.fields ?? []), ['Host', 'foreign.test']] })
    expect([answer?.status, child.exitCode]).toEqual([403, null])
    expect((await measure(given)).answer?.status).toBe(404)
  }
  client.close()
})

it('lists as many keys of JWT size as a state can have, at no cost for the first log line', async () => {
  const keys = Array.from({ length: 1_000 }, (_, index) => `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${String(index).padStart(900, 'x')}`)
  const { measure, client } = await startMock([])
  const body = JSON.stringify({ apiKeys: keys })
  expect(
    (await measure({ method: 'PUT', target: '/__mock/state', fields: [['Content-Type', 'application/json']], body })).answer?.status,
  ).toBe(200)
  const { cost, answer } = await measure({ target: '/v1/pets', fields: [['Authorization', `Bearer ${keys[500]}`]] })
  expect(answer?.status).toBe(200)
  expect(cost).toBeLessThan(300)
  client.close()
})
