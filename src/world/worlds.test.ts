import { describe, expect, it } from 'vitest'
import { change, exchange, still, surround } from '../../test/support/log-rows.ts'
import { parseScenario } from '../../test/support/parse-scenario.ts'
import type { KeptRow } from './kept-row.ts'
import { createMemory } from './memory.ts'
import { toScenario } from './saved-state.ts'
import { addPet, beginState, type State } from './state.ts'
import type { World } from './world.ts'
import { createWorlds, prepareWorlds } from './worlds.ts'

const zoo = parseScenario({ name: 'zoo', pets: [{ id: 1, name: 'Rex', categoryId: 1 }] })
const large = parseScenario({
  name: 'large',
  pets: [{ id: 1, name: 'x'.repeat(5_000), categoryId: 1 }],
})
const grow = (state: State) => addPet(state, { name: 'Pip', categoryId: 1 }).state

function store(world: World): World {
  world.advance(exchange(), grow(world.state))
  return world
}

function create() {
  const memory = createMemory()
  const worlds = createWorlds(zoo, true, surround(memory))
  const heard: string[] = []
  worlds.watch((key) => heard.push(key))
  return { worlds, heard, memory }
}

describe('worlds', () => {
  it('give back what they took when they go, and are heard when they come and when they go', () => {
    const { worlds, heard, memory } = create()
    const fill = () => Array.from({ length: 256 }, (_, index) => worlds.of(`k${index}`))
    for (const [key, go] of [['a', () => worlds.remove('a')] as const, ['c', fill] as const]) {
      const { timeline } = store(store(worlds.of(key)))
      expect([memory.bytes > zoo.bytes, timeline.rows().length]).toEqual([true, 2])
      go()
      expect([memory.bytes, timeline.rows()]).toEqual([zoo.bytes, []])
    }
    expect(heard.filter((key) => !key.startsWith('k'))).toEqual(['a', 'a', 'c', 'c'])
    expect([worlds.remove('a'), worlds.remove('k7')]).toEqual([false, true])
    // What a sandbox started from stays as long as one of them does.
    for (const key of ['k8', 'k9']) worlds.resume(beginState(large, still), key)
    worlds.remove('k8')
    expect(memory.bytes).toBe(zoo.bytes + large.bytes)
  })

  it('are at most 256, and the one that has been idle longest goes first; a look is no use', () => {
    const { worlds } = create()
    for (let index = 0; index < 256; index++) worlds.of(`k${index}`)
    worlds.of('k0')
    const [seen, kept] = [worlds.peek('k1'), worlds.peek('kept')]
    expect([
      worlds.peek('k1') === seen,
      worlds.has('k1'),
      worlds.has('kept'),
      worlds.has(),
    ]).toEqual([true, true, false, true])
    expect(worlds.keep(kept)).toBe(worlds.of('kept'))
    expect([worlds.keys().length, worlds.keys()[0], worlds.keys().slice(-2)]).toEqual([
      256,
      'k2',
      ['k0', 'kept'],
    ])
    expect(worlds.all().map(({ sandbox }) => sandbox)).toEqual([null, ...worlds.keys()])
  })

  it('are one if there are no sandboxes', () => {
    const worlds = createWorlds(zoo, false, surround())
    expect([
      worlds.of('a'),
      worlds.peek('b'),
      worlds.keep(worlds.of()),
      worlds.resume(beginState(large, still), 'd'),
    ]).toEqual(Array(4).fill(worlds.of()))
    expect([worlds.keys(), worlds.of().state.name]).toEqual([[], 'large'])
  })

  it('take over all that others hold, and go on with their limits and with the ids so far', () => {
    const { worlds, heard, memory } = create()
    const old = store(worlds.of('a'))
    const [row] = old.timeline.rows() as [KeptRow]
    const next = prepareWorlds(worlds, { file: 'run.jsonl', version: '1', madeAt: '' })
    next.resume(beginState(large, still), 'b', 7)
    expect([worlds.keys(), worlds.recording]).toEqual([['a'], undefined])
    heard.length = 0
    worlds.replaceBy(next)
    expect([worlds.keys(), heard, worlds.recording?.file]).toEqual([['b'], ['a', 'b'], 'run.jsonl'])
    expect([old.hasRemoved(row), memory.bytes]).toEqual([true, 0])
    expect([store(worlds.of('c')).number, worlds.of('c').timeline.lastId]).toEqual([8, 2])
  })

  it('begin as the shared state would be reset to', () => {
    const { worlds } = create()
    worlds.of().advance(change(), grow(beginState(large, still)))
    expect(toScenario(worlds.of('a').state, 0)).toEqual(toScenario(beginState(large, still), 0))
  })
})
