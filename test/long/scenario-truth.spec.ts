// One truth for scenario documents: as a value, as JSON and as YAML they are accepted or refused for the same reasons. Documents are
// generated, valid ones and slightly broken ones.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { UsageError } from '../../src/contract/errors.ts'
import { parseJson, toJson } from '../../src/contract/int64-json.ts'
import { refuse } from '../../src/contract/options.ts'
import { type Problem, say } from '../../src/contract/problem.ts'
import { findExcess } from '../../src/control/routes.ts'
import { expandScenario, type ScenarioDocument } from '../../src/generate/index.ts'
import { assumptions, contract } from '../../src/generated/contract.ts'
import { MAX_PETS_PER_REQUEST } from '../../src/limits.ts'
import { createMock } from '../../src/mock/mock.ts'
import { openScenario, resolveDocument } from '../../src/scenario/open.ts'
import { readDocument } from '../../src/scenario/read.ts'
import type { Scenario } from '../../src/world/scenario.ts'
import { checkProperty } from '../support/property.ts'

const RUNS = 1_000

/** What a door makes of a document: a scenario, or the problems, without files and lines and in no order. */
type Verdict = { readonly scenario: Scenario } | { readonly problems: readonly string[] }

const statuses = contract.schemas.PetStatus.enum
const WRONG = fc.constantFrom<unknown>(null, true, 'x', '', -1, 1.5, 2n ** 63n, [], [1], {}, { a: 1 })

/** Documents in which one value in `oneIn` is wrong; none for 0. */
function createDocuments(oneIn: number) {
  const mostly = (valid: fc.Arbitrary<unknown>, wrong: fc.Arbitrary<unknown> = WRONG) =>
    oneIn === 0 ? valid : fc.oneof({ weight: oneIn, arbitrary: valid }, { weight: 1, arbitrary: wrong })
  const ids = [1, 2, 3, 7, -3, 0, 2 ** 53, 2n ** 62n, -(2n ** 63n)]
  const id = mostly(fc.constantFrom<unknown>(...ids), fc.constantFrom<unknown>(2n ** 63n - 1n, 2n ** 63n, '1'))
  const pet = fc.record(
    { id, name: mostly(fc.string({ maxLength: 6 })), categoryId: id, status: mostly(fc.constantFrom<unknown>(...statuses)) },
    { requiredKeys: ['id', 'name', 'categoryId'] },
  )
  // Ids that come twice are as good a mistake as any.
  const pets = oneIn === 0 ? fc.uniqueArray(pet, { maxLength: 4, selector: (made) => made.id }) : fc.array(mostly(pet), { maxLength: 4 })
  const delay = fc.oneof(fc.nat(60_000), fc.tuple(fc.nat(9), fc.integer({ min: 9, max: 99 })))
  const fault = fc.record(
    {
      operation: mostly(fc.constantFrom<unknown>(...Object.keys(contract.operations), '*')),
      status: mostly(fc.constantFrom(400, 503, 599), fc.constantFrom<unknown>(200, 600, undefined)),
      delay: mostly(delay, fc.constantFrom<unknown>(60_001, [9, 1], [1], 'x')),
      drop: mostly(fc.constant(false), fc.constant(true)),
      times: mostly(fc.nat(5)),
      after: mostly(fc.nat(5)),
      rate: mostly(fc.constantFrom(0, 0.5, 1), fc.constantFrom(-0.1, 1.1)),
      retryAfter: mostly(fc.nat(5)),
      id: mostly(fc.constantFrom('a', 'b', '7')),
      seen: mostly(fc.nat(9)),
      applied: mostly(fc.nat(9)),
    },
    { requiredKeys: ['operation', 'status'] },
  )
  const faults =
    oneIn === 0 ? fc.uniqueArray(fault, { maxLength: 3, selector: (made) => made.id ?? made }) : fc.array(mostly(fault), { maxLength: 3 })
  const instant = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }).map((date) => date.toISOString())
  const now = mostly(
    fc.oneof(instant, fc.constantFrom('1970-01-01', '9999-12-31T23:59:59.999Z', '2030-12-06 08:30')),
    fc.constantFrom('1969-12-31', '2026-02-30', '9999-12-31T23:59:59-01:00', 'soon'),
  )
  const weight = mostly(fc.constantFrom(0.5, 1, 3), fc.constantFrom(0, -1, 1e308))
  const generate = fc.record(
    {
      count: mostly(fc.nat(4), fc.constantFrom(-1, 1.5, 100_001, 10_000_001)),
      seed: mostly(fc.integer()),
      status: mostly(
        fc.record(Object.fromEntries([...statuses, 'absent'].map((status) => [status, weight])), { requiredKeys: [statuses[0]] }),
      ),
    },
    { requiredKeys: ['count'] },
  )
  const assume = fc.constantFrom<unknown>({}, ...assumptions.map((assumption) => ({ [assumption.id]: assumption.choices.at(-1) })))
  const fields = fc.record(
    {
      name: mostly(fc.string({ maxLength: 5 })),
      description: mostly(fc.string({ maxLength: 5 })),
      pets: mostly(pets),
      nextId: mostly(fc.constantFrom(2n ** 63n - 1n, 2n ** 62n + 9n), id),
      apiKeys: mostly(fc.array(mostly(fc.constantFrom('one', 'two=', 'invalid')), { minLength: 1, maxLength: 2 })),
      now,
      frozen: mostly(fc.boolean()),
      assume: mostly(assume, fc.constantFrom<unknown>({ paging: 'all' }, { nothing: 1 }, [])),
      faults: mostly(faults),
      latency: mostly(delay, fc.constantFrom<unknown>(60_001, [9, 1], -1)),
      random: mostly(fc.integer({ min: -9, max: 9 })),
      extends: mostly(fc.constantFrom('single', 'empty'), fc.constantFrom<unknown>('nothing', '__proto__', './other.yaml', 7)),
      $schema: mostly(fc.constant('./scenario.schema.json')),
      ...(oneIn === 0 ? {} : { colour: fc.constant('red') }),
    },
    { requiredKeys: [] },
  )
  // Generating takes longer than all the rest.
  return fc
    .tuple(fields, fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: mostly(generate) }))
    .map(([made, animals]) => (animals === undefined ? made : { ...made, generate: animals }))
}

const document = fc.oneof(
  { weight: 2, arbitrary: createDocuments(0) },
  { weight: 2, arbitrary: createDocuments(60) },
  { weight: 1, arbitrary: createDocuments(6) },
)

const fail = (problems: readonly string[]): Verdict => ({
  problems: problems.map((problem) => problem.replace(/^[^ ]*\.(yaml:\d+|json:) /, '')).sort(),
})

async function judge(load: () => Promise<Scenario> | Scenario): Promise<Verdict> {
  try {
    const { name: _, ...scenario } = await load()
    return { scenario }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    // Only files get hints.
    return fail(error.problems.map((problem) => say(withoutHint(problem))))
  }
}

/** The world that a mock makes of a scenario, without its name, which a file can give, and the time, which runs. */
function toWorld(scenario: Scenario): Scenario {
  const { now: _, ...world } = createMock({ scenario }).control.state()
  return world
}

/** The value as its text says it: what no JSON can hold is not sent by anybody. */
const toSent = (value: unknown): unknown => parseJson(toJson(value))

async function openSent(value: unknown): Promise<Scenario> {
  refuse(findExcess(value))
  return openScenario(value)
}

async function openText(file: string, text: string): Promise<Scenario> {
  const { value, ...read } = await readDocument(text, file)
  refuse(findExcess(value))
  return resolveDocument(value, read)
}

/** YAML writes a bigint as an integer, and strings so that they are read as strings. */
const toYaml = (value: unknown) => stringify(value, { lineWidth: 0, version: '1.2', schema: 'core' })

describe('a scenario document', () => {
  it('gets the same verdict as a value, as JSON and as YAML', async () => {
    const counts = { valid: 0, refused: 0 }
    await checkProperty(
      'documents',
      RUNS,
      fc.asyncProperty(
        document,
        fc.nat(9).map((digit) => digit === 0),
        async (made, isYamlToo) => {
          const sent = toSent(made) as ScenarioDocument
          const verdict = await judge(async () => toWorld(await openSent(sent)))
          const isValid = 'scenario' in verdict
          counts[isValid ? 'valid' : 'refused']++
          expect(await judge(async () => toWorld(await openText('a.json', toJson(made))))).toEqual(verdict)
          // The YAML library takes most of the time.
          if (isYamlToo) expect(await judge(async () => toWorld(await openText('a.yaml', toYaml(sent))))).toEqual(verdict)
          const hasShortcut = sent.extends !== undefined || sent.generate !== undefined
          if (!isValid && !hasShortcut) expect(await judge(() => toWorld(sent))).toEqual(verdict)
          else if (sent.extends === undefined && (sent.generate?.count ?? 0) <= MAX_PETS_PER_REQUEST) {
            expect(await judge(async () => toWorld(await expandScenario(sent)))).toEqual(verdict)
          }
        },
      ),
    )
    // A suite that only ever sees one side would prove nothing.
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(RUNS / 5)
  })
})

function withoutHint({ caller: _, ...problem }: Problem): Problem {
  const { near, ...rest } = problem as { near?: string }
  return rest as Problem
}
