// Animals by the tester's hand: as plain methods, over HTTP, in sandboxes; and a page of them at a time.
import { describe, expect, it } from 'vitest'
import type { StateDiff } from '../../src/control/control.ts'
import { animals, rex } from '../support/animals.ts'
import { type ControlClient, startControl } from '../support/control-client.ts'

const pip = { name: 'Pip', categoryId: 1 }

/** The ids of the animals in the diff. */
async function changedIds(ask: ControlClient['ask']) {
  const { pets } = (await ask('/diff')).json as unknown as StateDiff
  return {
    added: pets.added.map(({ id }) => id),
    changed: pets.changed.map(({ after }) => after.id),
    removed: pets.removed.map(({ id }) => id),
  }
}

describe('an animal that a tester adds', () => {
  it('gets the next id, is in the service at once, and is gone after a reset; the request log knows nothing of it', async () => {
    const { write, call, poke, ask } = await startControl({ pets: animals })
    expect(await write('POST', '/pets', { ...pip, status: 'sold' })).toMatchObject({ status: 201, json: { id: 5, ...pip, status: 'sold' } })
    expect((await ask('/requests')).json).toEqual([])
    expect((await call('/v1/pets/5')).json).toEqual({ id: 5, ...pip, status: 'sold' })
    expect((await call('/v1/pets?status=sold')).json).toContainEqual({ id: 5, ...pip, status: 'sold' })
    expect(await changedIds(ask)).toEqual({ added: [5], changed: [], removed: [] })
    await poke('POST', '/reset')
    expect((await call('/v1/pets')).json).toEqual(animals)
  })
})

describe('an animal that a tester changes', () => {
  it('was sold meanwhile: the service says so, by id and in every list, until a reset', async () => {
    const { write, call, poke, ask } = await startControl({ pets: animals })
    expect(await write('PATCH', '/pets/1', { status: 'sold' })).toMatchObject({ status: 200, json: { ...rex, status: 'sold' } })
    expect((await call('/v1/pets/1')).json).toEqual({ ...rex, status: 'sold' })
    const sold = (await call('/v1/pets?status=sold')).json as { id: number }[]
    expect(sold.map(({ id }) => id)).toContain(1)
    expect((await call(`/v1/pets?status=${rex.status}`)).json).not.toContainEqual(rex)
    expect(await changedIds(ask)).toEqual({ added: [], changed: [1], removed: [] })
    await poke('POST', '/reset')
    expect((await call('/v1/pets/1')).json).toEqual(rex)
  })
})

describe('an animal that a tester removes', () => {
  it('is gone for every client, its id is not given out again, and a snapshot loads back into the same', async () => {
    const { poke, call, ask, mock } = await startControl({ pets: animals })
    expect((await poke('DELETE', '/pets/4')).status).toBe(204)
    expect((await call('/v1/pets/4')).status).toBe(404)
    expect((await call('/v1/pets')).json).toEqual(animals.slice(0, 3))
    expect(await changedIds(ask)).toEqual({ added: [], changed: [], removed: [4] })
    expect((await poke('DELETE', '/pets/4')).json).toMatchObject({
      code: 'NotFound',
      status: 404,
      problems: [{ kind: 'not-found', what: 'Animal', id: '4' }],
    })
    const state = mock.control.state()
    expect((await call('/v1/pets', 'k', pip)).json).toEqual({ id: 5, ...pip })
    mock.control.load(state)
    expect(mock.control.state()).toEqual(state)
    expect((await call('/v1/pets', 'k', pip)).json).toEqual({ id: 5, ...pip })
  })
})

describe('animals by hand', () => {
  it('belong to one sandbox, which a refused change does not create', async () => {
    const { write, call, mock, ask } = await startControl({ pets: animals, sandbox: true })
    await write('PATCH', '/pets/1?sandbox=ann-key', { status: 'gone' })
    expect(mock.control.sandboxes()).toEqual([])
    await write('PATCH', '/pets/1?sandbox=ann-key', { status: 'sold' })
    expect((await call('/v1/pets/1', 'ann-key')).json).toEqual({ ...rex, status: 'sold' })
    expect((await call('/v1/pets/1', 'bob-key')).json).toEqual(rex)
    expect((await ask('/pets?changed=true&sandbox=ann-key')).json).toMatchObject({ matches: 1, marks: { 1: 'changed' } })
    expect((await ask('/pets?changed=true')).json).toMatchObject({ matches: 0, marks: {} })
  })
})
