// From the flags to the options of a mock. Only what they ask for is loaded: the default scenario is at hand, others are not.
import type { MockOptions } from '../mock/mock.ts'
import { type MockFlags, mockFlags } from './flags.ts'

const DEFAULT_SEED = 1
const DEFAULT_COUNT = 50

export async function toMockOptions(flags: MockFlags): Promise<MockOptions> {
  const { scenario, count, apiKey, now, frozen, assume, sandbox, corsOrigin, delay, fail } = flags
  const seed = findSeed(flags)
  return {
    ...(scenario === mockFlags.scenario.default ? {} : { scenario: await load(scenario) }),
    ...(seed === undefined ? {} : { pets: await generate(seed, count) }),
    ...(apiKey ? { apiKeys: apiKey } : {}),
    ...(now === undefined ? {} : { now }),
    ...(frozen ? { frozen } : {}),
    ...(assume ? { assume: Object.assign({}, ...assume) } : {}),
    ...(delay === undefined ? {} : { latency: delay }),
    ...(fail ? { faults: fail } : {}),
    ...(sandbox ? { sandbox } : {}),
    ...(corsOrigin ? { corsOrigins: corsOrigin } : {}),
  }
}

/** The seed of the animals; undefined if they are the scenario's. */
export function findSeed({ seed, count }: MockFlags): number | undefined {
  return seed ?? (count === undefined ? undefined : DEFAULT_SEED)
}

async function load(nameOrFile: string) {
  const { loadScenario } = await import('../scenario/files.ts')
  return loadScenario(nameOrFile)
}

async function generate(seed: number, count = DEFAULT_COUNT) {
  const { generatePets } = await import('../generate/index.ts')
  return generatePets({ seed, count })
}
