import { describe, expect, it } from 'vitest'
import type { PetChange } from '../../world/catalogue.ts'
import { createWriteGroup } from './write-group.ts'

const turn = () => new Promise((resolve) => setTimeout(resolve, 0))

function create() {
  const written: string[] = []
  /** How many were written each time that the disk was waited for, and what ends that. */
  const synced: number[] = []
  let onDisk = () => {}
  const group = createWriteGroup(
    (changes: readonly PetChange[]) => void written.push(...changes.map(({ id }) => id)),
    () => {
      synced.push(written.length)
      return new Promise((resolve) => {
        onDisk = resolve
      })
    },
  )
  const untilSynced = async () => {
    for (const before = synced.length; synced.length === before; ) await turn()
  }
  return { written, synced, group, untilSynced, onDisk: () => onDisk(), add: (id: string) => group.add({ id, text: '{}' }) }
}

describe('a group of writes', () => {
  it('writes what came in together at once, in order, and tells when it is on the disk', async () => {
    const { written, synced, group, untilSynced, onDisk, add } = create()
    expect(group.written()).toBeUndefined()
    add('1')
    const first = group.written()
    await Promise.resolve()
    add('2')
    expect(group.written()).toBe(first)
    expect(written).toEqual([])
    await untilSynced()
    expect(written).toEqual(['1', '2'])
    expect(synced).toEqual([2])
    expect(group.written()).toBe(first)
    onDisk()
    await first
    expect(group.written()).toBeUndefined()
  })

  it('takes changes for as long as every turn brings more, but not forever', async () => {
    const { synced, untilSynced, onDisk, add } = create()
    add('1')
    add('2')
    await turn()
    add('3')
    await untilSynced()
    expect(synced).toEqual([3])
    onDisk()
    for (let id = 4; synced.length === 1; id += 2) {
      add(String(id))
      add(String(id + 1))
      await turn()
    }
    expect(synced[1]).toBeLessThan(100)
  })

  it('has changes that come in while it waits for the disk wait for the next one', async () => {
    const { synced, group, untilSynced, onDisk, add } = create()
    add('1')
    const first = group.written()
    await untilSynced()
    add('2')
    const second = group.written()
    expect(second).not.toBe(first)
    onDisk()
    await first
    expect(group.written()).toBe(second)
    await untilSynced()
    expect(synced).toEqual([1, 2])
    onDisk()
    await second
    expect(group.written()).toBeUndefined()
  })

  it('writes at once where something has to come after it, and nothing twice', async () => {
    const { written, group, untilSynced, add } = create()
    add('1')
    group.flush()
    expect(written).toEqual(['1'])
    add('2')
    await untilSynced()
    expect(written).toEqual(['1', '2'])
  })

  it('fails for whoever waits if the storage does', async () => {
    const group = createWriteGroup(
      () => {
        throw new Error('disk full')
      },
      async () => {},
    )
    group.add({ id: '1', text: '{}' })
    await expect(group.written()).rejects.toThrow('disk full')
    expect(group.written()).toBeUndefined()
  })
})
