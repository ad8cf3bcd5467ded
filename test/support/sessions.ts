// Sessions with a service that is the mock under random choices: some to learn from, and a new one
// to compare the learnt world with.
import { calibrate } from '../../src/calibrate/calibrate.ts'
import { assumptions, type Pet, type PetStatus } from '../../src/contract/generated/contract.ts'
import { createRandom, type Random } from '../../src/contract/random.ts'
import type { MockOptions } from '../../src/index.ts'
import { below, createMockService, createRecorder, drawRequest, type Sent } from './traffic.ts'

const LENGTH = 40
const STATUSES: readonly (PetStatus | undefined)[] = ['available', 'pending', 'sold', undefined]

/** A service with up to 30 animals, and any choices. */
function drawService(random: Random): MockOptions & { readonly pets: readonly Pet[] } {
  const chosen = assumptions.filter(({ id }) => id !== 'valid-keys')
  const assume = chosen.map(({ id, choices }) => [id, random.pick<string>(choices)])
  const pets = Array.from({ length: below(random, 30) }, (_, index) => ({
    id: index + 1 + Math.floor(index / 7),
    name: `Pet ${index}`,
    categoryId: index % 4,
    status: random.pick(STATUSES),
  }))
  return { pets, assume: Object.fromEntries(assume) }
}

function drawSession(random: Random, pets: readonly Pet[]): Sent[] {
  const highest = Number(pets.at(-1)?.id ?? 0) + 5
  const first: Sent = { method: 'GET', path: '/pets?limit=100' }
  return [first, ...Array.from({ length: LENGTH - 1 }, () => drawRequest(random, highest))]
}

/** What a client sees, without the words of an error. */
function observe(options: MockOptions, session: readonly Sent[]): string[] {
  const service = createMockService(options)
  return session.map((sent) => {
    const { status, headers, body } = service(sent)
    const json = body === '' ? undefined : JSON.parse(body)
    return JSON.stringify([status, headers.sunset, json?.code ?? json])
  })
}

/** Learns from some sessions, one after the other, and compares in a new one. */
export async function learn(seed: number, sessions: number) {
  const random = createRandom(seed * 7919)
  const service = drawService(random)
  const recorder = createRecorder(createMockService(service))
  const learnt = Array.from({ length: sessions }, () => drawSession(random, service.pets)).flat()
  for (const sent of learnt) recorder.send(sent)
  const { findings, notes, rows, scenario } = await calibrate({
    har: recorder.har(),
    keepNames: true,
  })
  const world = { scenario } as MockOptions
  const asNew = drawSession(random, service.pets)
  const expected = observe(service, asNew)
  const missed = observe(world, asNew).flatMap((one, index) =>
    one === expected[index] ? [] : { sent: asNew[index], got: one, expected: expected[index] },
  )
  const isRepeated = observe(world, learnt).join() === observe(service, learnt).join()
  return { findings, notes, rows, isRepeated, missed, total: asNew.length }
}
