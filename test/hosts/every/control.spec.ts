import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createControlApi } from '../../../src/control/api/api.ts'
import { createClient, type RemoteControl } from '../../../src/control/client/client.ts'
import { connect } from '../../../src/control/client/connect.ts'
import type { MockEvent } from '../../../src/control/control.ts'
import { createLocalFetch } from '../../../src/hosts/local-fetch.ts'
import { serve } from '../../../src/hosts/node/serve.ts'
import { createMock, type MockOptions } from '../../../src/index.ts'
import { scenarios } from '../../../src/scenario/shipped.ts'
import { animals, rex } from '../../support/animals.ts'
import { onEveryHost } from '../../support/hosts.ts'

/**
 * The control in this process, whose results need no await, and that of the same mock over HTTP.
 */
const WAYS: Readonly<Record<string, (options: MockOptions) => Promise<RemoteControl>>> = {
  'mock.control': async (options) => createMock(options).control as unknown as RemoteControl,
  async connect(options) {
    const { url, close } = await serve(createMock(options), { controlToken: 'a-token-of-16-ch' })
    onTestFinished(close)
    return connect(`${url}/`, { token: 'a-token-of-16-ch' })
  },
  async 'a client in the same process'(options) {
    const { answer } = createControlApi(createMock(options).control, {
      isOn: true,
      token: undefined,
    })
    return createClient('http://mock.test/mounted', { fetch: createLocalFetch(answer) })
  },
}

describe.each(Object.entries(WAYS))('%s', (_, start) => {
  it('loads a shipped scenario by its name, and a value that extends one or generates animals', async () => {
    const control = await start({})
    expect(await control.load('sold-out')).toMatchObject({ scenario: 'sold-out', pets: 40 })
    expect(await control.load({ extends: 'empty', name: 'slow', latency: 5 })).toMatchObject({
      scenario: 'slow',
      pets: 0,
      latency: 5,
    })
    expect(await control.load({ generate: { count: 3, seed: 7 } })).toMatchObject({ pets: 3 })
    for (const wrong of ['sold-outt', './sold-out.yaml', { extends: 'nothing' }] as never[]) {
      await expect(async () => control.load(wrong)).rejects.toThrow()
    }
    expect(await control.summary()).toMatchObject({ pets: 3 })
  })

  it('loads, resets and shows a state, and summarises it', async () => {
    const control = await start({ pets: animals, now: '2026-11-15', frozen: true })
    const before = await control.state()
    const summary = { scenario: 'sold-out', pets: 40, byStatus: { sold: 40 } }
    expect(await control.load(scenarios['sold-out'])).toMatchObject(summary)
    expect(await control.summary()).toMatchObject(summary)
    expect(await control.state({ pets: false })).not.toHaveProperty('pets')
    await control.pets.remove(1)
    expect((await control.diff()).pets.removed).toHaveLength(1)
    expect(await control.reset()).toMatchObject(summary)
    await control.load(before)
    expect(await control.state()).toEqual(before)
    await expect(async () =>
      control.load({ pets: [{ id: 1 } as never], frozen: 'no' as never }),
    ).rejects.toMatchObject({
      problems: [
        { path: 'pets[0].name' },
        { path: 'pets[0].categoryId' },
        { path: 'frozen', got: '"no"' },
      ],
    })
  })

  it('lists, adds, changes and removes animals, with exact 64-bit integers', async () => {
    const control = await start({ pets: [rex] })
    const id = 9223372036854775000n
    const big = { id, name: 'Big', categoryId: -9223372036854775808n }
    expect(await control.pets.add(big)).toEqual(big)
    expect(await control.pets.get(id)).toEqual(big)
    expect(await control.pets.update(id, { status: 'sold' })).toEqual({ ...big, status: 'sold' })
    expect(await control.pets.list({ changed: true, sort: '-id', limit: 1 })).toMatchObject({
      total: 2,
      matches: 1,
      marks: { [String(id)]: 'added' },
    })
    expect([await control.pets.remove(id), await control.pets.remove(id)]).toEqual([true, false])
    expect(await control.pets.get(id)).toBeUndefined()
    await expect(async () => control.pets.update(id, {})).rejects.toMatchObject({ status: 404 })
  })

  it('controls faults, clock, latency and assumptions', async () => {
    const confirmed = { on: '2026-11-14', against: 'store.test' }
    const calibrated = { ...confirmed, choices: { 'invalid-query': 'clamp' } } as const
    const control = await start({ scenario: { calibrated }, now: '2026-11-15', frozen: true })
    const fault = { operation: 'createPet', status: 503, times: 2 } as const
    // An id may be anything that a path can hold, and the name of another route.
    expect(await control.faults.add({ ...fault, id: 'a/b c' })).toEqual({
      ...fault,
      id: 'a/b c',
      seen: 0,
      applied: 0,
    })
    await control.faults.add({ ...fault, id: 'requests' })
    expect((await control.faults.list()).map(({ id }) => id)).toEqual(['a/b c', 'requests'])
    expect([await control.faults.remove('a/b c'), await control.faults.remove('a/b c')]).toEqual([
      true,
      false,
    ])
    expect([await control.faults.clear(), await control.faults.list()]).toEqual([undefined, []])
    expect(await control.clock.set('2030-12-05')).toEqual({
      now: '2030-12-05T00:00:00.000Z',
      frozen: true,
    })
    expect(await control.clock.advance('P1D', { frozen: false })).toMatchObject({ frozen: false })
    expect(await control.clock.freeze()).toMatchObject({ frozen: true })
    expect(await control.clock.freeze(false)).toMatchObject({ frozen: false })
    expect((await control.clock.get()).now).toMatch(/^2030-12-06T/)
    expect(await control.clock.set(null)).toMatchObject({ frozen: false })
    expect((await control.diff()).clock).toMatchObject({ after: { now: null, frozen: false } })
    for (const latency of [250, [20, 80] as const, null]) {
      expect(await control.latency.set(latency)).toBeUndefined()
      expect(await control.latency.get()).toEqual(latency)
    }
    expect(await control.assume({ 'invalid-query': 'clamp' })).toBeUndefined()
    const [first, second] = await control.assumptions()
    expect([first, second?.confirmed]).toEqual([
      expect.objectContaining({ choice: 'clamp', uses: 0, confirmed }),
      undefined,
    ])
    const before = (await control.timeline()).at(-1)?.id as number
    expect((await control.assumptions({ before }))[0]).toMatchObject({
      choice: 'reject',
      default: 'reject',
    })
    await expect(async () => control.clock.set('never')).rejects.toThrow(/never/)
    await expect(async () => control.assume({ 'invalid-query': 'guess' as never })).rejects.toThrow(
      /clamp/,
    )
  })

  it('controls sandboxes, and lists their requests together', async () => {
    const control = await start({ pets: animals, sandbox: true })
    const own = control.sandbox('ann-key')
    expect(await own.load(scenarios.empty)).toMatchObject({ pets: 0, sandboxes: 1 })
    expect([(await control.summary()).pets, await control.sandboxes()]).toEqual([
      animals.length,
      ['ann-key'],
    ])
    expect([
      await own.requests({ sandbox: '*' }),
      await control.clearRequests({ sandbox: '*' }),
    ]).toEqual([[], undefined])
    expect([
      await control.removeSandbox('ann-key'),
      await control.removeSandbox('ann-key'),
    ]).toEqual([true, false])
    expect((await control.timeline()).at(-1)).toMatchObject({
      type: 'change',
      method: 'removeSandbox',
      sandbox: null,
    })
    expect((await control.scenarios()).find(({ name }) => name === 'single')).toEqual({
      name: 'single',
      description: scenarios.single.description,
      pets: 1,
    })
    expect(await control.coverage()).toMatchObject({ requests: 0 })
    await expect(async () => control.sandbox('no key').reset()).rejects.toThrow(/bearer token/)
    await expect(async () => control.requests({ limit: -1 })).rejects.toThrow(/limit/)
  })

  it('reports events until its listener unsubscribes', async () => {
    const control = await start({ pets: animals })
    const events: MockEvent[] = []
    const unsubscribe = await control.subscribe((event) => events.push(event))
    await control.reset()
    await control.pets.remove(1)
    await vi.waitFor(() =>
      expect(events).toMatchObject([
        { type: 'change', sandbox: null, row: { id: 1, method: 'reset' } },
        {
          type: 'change',
          sandbox: null,
          row: { id: 2, method: 'pets.remove', changed: [{ kind: 'pet', id: '1' }] },
        },
      ]),
    )
    unsubscribe()
    await control.reset()
    expect(events).toHaveLength(2)
  })
})

describe('the control of a mock', () => {
  onEveryHost((start) => {
    it('resets animals, ids, clock, faults, choices and the request log', async () => {
      const api = await start({
        pets: animals,
        now: '2026-11-15',
        frozen: true,
        faults: [{ operation: 'createPet', status: 503, after: 1 }],
      })
      const { control } = api.mock
      const before = control.state()
      await api.create({ name: 'Pip', categoryId: 1 })
      await api.create({ name: 'Pip', categoryId: 1 })
      control.clock.advance('P365D')
      control.faults.add({ operation: '*', drop: true })
      control.assume({ 'list-order': 'newest-first' })
      expect(control.state()).not.toEqual(before)
      control.reset()
      expect(control.state()).toEqual(before)
      expect(control.requests()).toEqual([])
      expect((await api.create({ name: 'Pip', categoryId: 1 })).json).toMatchObject({ id: 5 })
    })

    it('loads its own state in the middle of a run, and repeats the same responses', async () => {
      const options = {
        pets: [{ id: 9223372036854775000n, name: 'Big', categoryId: -9223372036854775808n }],
        now: '2026-11-15',
        frozen: true,
        faults: [{ operation: '*' as const, status: 503, rate: 0.5, times: 9 }],
      }
      const api = await start(options)
      const run = async (count: number) => {
        const seen = []
        for (let index = 0; index < count; index++)
          seen.push((await api.create({ name: 'Pip', categoryId: 1 })).text)
        return seen
      }
      await run(6)
      const state = api.mock.control.state()
      const onward = await run(20)
      api.mock.control.load(state)
      expect(api.mock.control.state()).toEqual(state)
      expect(await run(20)).toEqual(onward)
    })
  })
})
