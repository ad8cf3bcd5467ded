// What a document costs: time linear in its size, whatever is in it, and an answer that is bounded.
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/contract/errors.ts'
import { say } from '../../src/contract/problem.ts'
import { readSentDocument, readSentName } from '../../src/control/sent-scenario.ts'
import { createMock } from '../../src/mock/mock.ts'
import type { Scenario } from '../../src/world/start.ts'
import { startControl } from '../support/control-client.ts'

/** Four times the size may take six times as long: linear, with room for a machine that is busy. */
const FACTOR = 4
const MAX_RATIO = 6
/** Below this there is more noise than cost. */
const FLOOR_MS = 40
const ATTEMPTS = 5
const MAX_MESSAGE_CHARACTERS = 100_000
/** Processor time, sending and collecting garbage included, for a text of nearly the largest size. */
const MAX_REFUSAL_MS = 5_000

/** The processor time of a call, which other processes do not add to, and the problems that it found. */
async function measure(load: () => Promise<unknown> | unknown): Promise<{ milliseconds: number; problems: readonly string[] }> {
  const start = process.cpuUsage()
  let problems: readonly string[] = []
  try {
    await load()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    problems = error.problems.map(say)
  }
  return { milliseconds: process.cpuUsage(start).user / 1000, problems }
}

async function expectLinear(create: (size: number) => () => Promise<unknown> | unknown, size: number): Promise<void> {
  const [small, large] = [create(size), create(FACTOR * size)]
  const { problems } = await measure(large)
  expect(problems.length).toBeLessThanOrEqual(101)
  expect(problems.join('\n').length).toBeLessThan(MAX_MESSAGE_CHARACTERS)
  const ratios: string[] = []
  // A ratio that is good once is good: a busy machine only ever adds.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const short = (await measure(small)).milliseconds
    const long = (await measure(large)).milliseconds
    if (long <= Math.max(MAX_RATIO * short, FLOOR_MS)) return
    ratios.push(`${short.toFixed(1)} → ${long.toFixed(1)} ms`)
  }
  expect.fail(`${FACTOR} times the size took ${ratios.join(', ')}`)
}

const lines = (count: number, toLine: (index: number) => string) => Array.from({ length: count }, (_, index) => toLine(index)).join('\n')

describe('the cost of JSON is linear in', () => {
  it.each<[string, (size: number) => string]>([
    ['animals', (size) => `{"pets":[${lines(size / 50, (id) => `{"id":${id},"name":"Rex the Dog","categoryId":3},`)}{}]}`],
    ['animals without anything', (size) => `{"pets":[${'{},'.repeat(size / 3)}{}]}`],
    ['unknown fields', (size) => `{${lines(size / 10, (index) => `"k${index}":1,`)}"name":"x"}`],
    ['a key that comes again and again', (size) => `{${'"name":"x",'.repeat(size / 11)}"name":"x"}`],
    ['nesting that does not end', (size) => '['.repeat(size)],
    ['space', (size) => `{${' \n'.repeat(size)}"name":1}`],
    ['a long text', (size) => `{"name":"${'x'.repeat(10 * size)}","now":1}`],
    ['escapes', (size) => `{"name":"${'\\n'.repeat(size)}","now":1}`],
    ['a long key, and a list below it', (size) => `{"${'k'.repeat(size)}":[${'1,'.repeat(size)}1]}`],
    [
      'a long key that comes twice, and lists below it',
      (size) => `{"${'k'.repeat(size)}":[${'1,'.repeat(size)}1],"${'k'.repeat(size)}":[${'[],'.repeat(size / 2)}1]}`,
    ],
    ['dots', (size) => `{"${'.['.repeat(size)}":1}`],
    ['faults that do nothing', (size) => `{"faults":[${'{"operation":"*"},'.repeat(size / 20)}1]}`],
    ['ids that come twice', (size) => `{"pets":[${'{"id":1,"name":"a","categoryId":1},'.repeat(size / 36)}1]}`],
    ['keys of an API', (size) => `{"apiKeys":[${'"two words",'.repeat(size / 12)}"x"]}`],
  ])('%s', (_, create) =>
    expectLinear((size) => {
      const text = create(size)
      return () => readSentName({ file: 'a.json', text: text })
    }, 100_000),
  )
})

describe('the cost of a value is linear in', () => {
  it.each<[string, (size: number) => unknown]>([
    ['animals', (size) => ({ pets: Array.from({ length: size }, (_, id) => ({ id, name: 'Rex', categoryId: 1 })) })],
    [
      'animals in the wrong order',
      (size) => ({ pets: Array.from({ length: size }, (_, index) => ({ id: size - index, name: 'Rex', categoryId: 1 })) }),
    ],
    [
      'ids that come twice',
      (size) => ({ pets: Array.from({ length: size }, (_, index) => ({ id: index % 7, name: 'Rex', categoryId: 1 })) }),
    ],
    ['unknown fields', (size) => Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, 1]))],
    ['generated animals', (size) => ({ generate: { count: size, seed: 3 } })],
    ['a long name of a scenario to extend', (size) => ({ extends: 'x'.repeat(size * 10) })],
    ['a path to a scenario to extend', (size) => ({ extends: '../'.repeat(size * 10) })],
    ['a time', (size) => ({ now: '9'.repeat(size * 10) })],
  ])('%s', (_, create) =>
    expectLinear((size) => {
      const document = create(size) as Scenario
      return async () => createMock({ scenario: await readSentDocument(document as never) })
    }, 5_000),
  )
})

describe('a document that is refused does not hold up other requests for long:', () => {
  it.each<[string, () => string]>([
    ['unknown fields', () => `{${lines(1_000_000, (index) => `"k${index}":1,`)}"name":"x"}`],
    ['animals without anything', () => `{"pets":[${'{},'.repeat(5_000_000)}{}]}`],
    ['lists in lists', () => `{"pets":[${'[],'.repeat(5_000_000)}[]]}`],
  ])('%s', { timeout: 60_000 }, async (_, create) => {
    const { write } = await startControl()
    const text = create()
    const start = process.cpuUsage()
    expect((await write('PUT', '/state', text)).status).toBe(400)
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(MAX_REFUSAL_MS)
  })
})
