// Runs the calls of a transcript (>), each with a new mock, and writes down the lines of the
// UsageError that it throws (!). A call may use the public functions, `mock`, the `control` of a
// sandbox that does not exist yet, and the values below.
import { expect } from 'vitest'
import { say } from '../../src/contract/problem.ts'
import { createHandlers } from '../../src/hosts/msw.ts'
import { loadScenario, serve } from '../../src/hosts/node/index.ts'
import { createFetch, createMock, UsageError } from '../../src/index.ts'
import { withStore } from '../../src/kits/playwright.ts'
import { storeLoader } from '../../src/kits/storybook.ts'
import { mockStore } from '../../src/kits/vitest.ts'
import { expandScenario, generatePets } from '../../src/scenario/generated-animals.ts'
import { scenarios } from '../../src/scenario/shipped.ts'
import { animals, rex } from './animals.ts'

const FUNCTIONS = {
  createMock,
  createFetch,
  createHandlers,
  serve,
  loadScenario,
  expandScenario,
  generatePets,
  mockStore,
  withStore,
  storeLoader,
}

/** Its data is inherited, so a check of own fields does not see it. */
class Accessors {
  get apiKeys() {
    return ['k']
  }
}

const VALUES = {
  rex,
  scenarios,
  Accessors,
  FAULT: { operation: '*', status: 503 },
  /** A list with a hole, which most methods of lists pass over. */
  SPARSE: Object.assign(new Array(2), { 1: 'https://api.example.com/v1' }),
}

/** The transcript with its errors as they are now. */
export async function replayCalls(transcript: string): Promise<string> {
  const played: string[] = []
  for (const line of transcript.split('\n').filter((text) => text.startsWith('> '))) {
    played.push(line, ...(await refuse(line.slice(2))).map((problem) => `! ${problem}`))
  }
  return `${played.join('\n')}\n`
}

/**
 * The lines of the error; nothing has changed, no sandbox was made, and no listener heard of
 * anything.
 */
async function refuse(call: string): Promise<readonly string[]> {
  const mock = createMock({ sandbox: true, pets: animals, now: '2026-11-15', frozen: true })
  const scope = { ...FUNCTIONS, ...VALUES, mock, control: mock.control.sandbox('never-seen') }
  const before = mock.control.state()
  const heard: unknown[] = []
  mock.control.subscribe((event) => heard.push(event))
  const problems = await run(
    new Function(...Object.keys(scope), `return ${call}`) as Call,
    Object.values(scope),
  )
  expect([mock.control.state(), mock.control.sandboxes(), heard], call).toEqual([before, [], []])
  return problems
}

type Call = (...values: readonly unknown[]) => unknown

async function run(call: Call, values: readonly unknown[]): Promise<readonly string[]> {
  try {
    await call(...values)
  } catch (error) {
    if (error instanceof UsageError) return error.problems.map(say)
    throw error
  }
  throw new Error(`accepted: ${call}`)
}
