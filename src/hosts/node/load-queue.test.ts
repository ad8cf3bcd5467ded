import { expect, it } from 'vitest'
import type { Scenario } from '../../world/situation.ts'
import { createLoadQueue } from './load-queue.ts'

const toBytes = (text: string) => new TextEncoder().encode(text)
const SHORT = toBytes('{"pets":[]}')
const LONG = toBytes(`{"description":"${'x'.repeat(70_000)}"}`)

/** A queue whose loads end when they are told to. */
function create() {
  const started: { end(name: string): void; fail(): void }[] = []
  const load = () =>
    new Promise<Scenario>((resolve, reject) => {
      started.push({ end: (name) => resolve({ name }), fail: () => reject(new Error('refused')) })
    })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const queue = createLoadQueue(true)
  return { prepare: (body: Uint8Array) => queue(body, load), started, turn }
}

it.each([
  ['a short document', '{"pets":[]}'],
  ['a few animals', '{"generate":{"count":50}}'],
  ['a year', '{"now":"2030-12-06"}'],
])('leaves %s to be read at once', (_, text) => {
  expect(create().prepare(toBytes(text))).toBeUndefined()
})

it.each([
  ['a long document', `{"description":"${'x'.repeat(70_000)}"}`],
  ['many animals', '{"generate":{"count":1000}}'],
  ['many animals, by an exponent', '{"generate":{"count":1e5}}'],
  ['many animals, by a word with escapes', '{"gener\\u0061te":{"count":100000}}'],
  ['many animals in a text', '{"file":"a.yaml","text":"\\"\\\\x67enerate\\": { count: 0x186a0 }"}'],
])('takes %s', (_, text) => {
  expect(create().prepare(toBytes(text))).toBeInstanceOf(Promise)
})

it('keeps loads in order, one at a time, and lets a short one wait for a long one', async () => {
  const { prepare, started, turn } = create()
  const loaded: unknown[] = []
  const note = (scenario: Promise<Scenario> | undefined) => scenario?.then(({ name }) => loaded.push(name))
  const all = [note(prepare(LONG)), note(prepare(SHORT)), note(prepare(LONG))]
  for (const [index, name] of ['first', 'second', 'third'].entries()) {
    await turn()
    expect(started).toHaveLength(index + 1)
    started[index]?.end(name)
  }
  await Promise.all(all)
  expect(loaded).toEqual(['first', 'second', 'third'])
  expect(prepare(SHORT)).toBeUndefined()
})

it('goes on after a load that was refused', async () => {
  const { prepare, started, turn } = create()
  const [first, second] = [prepare(LONG), prepare(LONG)]
  await turn()
  started[0]?.fail()
  await expect(first).rejects.toThrow('refused')
  await turn()
  started[1]?.end('second')
  expect(await second).toEqual({ name: 'second' })
})

it('takes nothing where there are no threads', () => {
  const queue = createLoadQueue(false)
  expect(queue(LONG, () => Promise.reject(new Error('not called')))).toBeUndefined()
})
