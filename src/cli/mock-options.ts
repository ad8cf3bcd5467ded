// From the flags to the options of a mock. Only what they ask for is loaded: the default scenario is at hand, others are not.
import type { MockOptions } from '../mock.ts'
import type { Fault } from '../world/faults.ts'
import { DEFAULT_SCENARIO, type ServeFlags } from './serve-flags.ts'

const DEFAULT_SEED = 1
const DEFAULT_COUNT = 50

export async function toMockOptions(flags: ServeFlags): Promise<MockOptions> {
  const faults = toFaults(flags)
  const seed = findSeed(flags)
  return {
    ...(flags.scenario === DEFAULT_SCENARIO ? {} : { scenario: await load(flags.scenario) }),
    ...(seed === undefined ? {} : { pets: await generate(seed, flags.count) }),
    ...(flags.apiKey ? { apiKeys: flags.apiKey } : {}),
    ...(flags.now === undefined ? {} : { now: flags.now }),
    ...(flags.frozen ? { frozen: true } : {}),
    ...(flags.assume ? { assume: Object.assign({}, ...flags.assume) } : {}),
    ...(faults.length > 0 ? { faults } : {}),
    ...(flags.sandbox ? { sandbox: true } : {}),
    ...(flags.corsOrigin ? { corsOrigins: flags.corsOrigin } : {}),
  }
}

/** The seed of the animals; undefined if they are the scenario's. */
export function findSeed({ seed, count }: ServeFlags): number | undefined {
  return seed ?? (count === undefined ? undefined : DEFAULT_SEED)
}

/** A delay comes before a failure, so that a failure is slow too. */
function toFaults({ delay, fail = [] }: ServeFlags): Fault[] {
  return [...(delay === undefined ? [] : [{ operation: '*' as const, delay }]), ...fail]
}

async function load(nameOrFile: string) {
  const { loadScenario } = await import('../scenario/files.ts')
  return loadScenario(nameOrFile)
}

async function generate(seed: number, count = DEFAULT_COUNT) {
  const { generatePets } = await import('../generate/index.ts')
  return generatePets({ seed, count })
}
