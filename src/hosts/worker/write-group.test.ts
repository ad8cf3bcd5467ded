import { describe, expect, it } from 'vitest'
import type { PetChange } from '../../world/catalogue.ts'
import { createWriteGroup } from './write-group.ts'

function create() {
  const written: string[] = []
  const group = createWriteGroup(({ id }: PetChange) => void written.push(id))
  return { written, group, add: (id: string) => group.add({ id, text: '{}' }) }
}

describe('a group of writes', () => {
  it('writes what came in together in one turn, in order, and tells when', async () => {
    const { written, group, add } = create()
    expect(group.written()).toBeUndefined()
    add('1')
    const first = group.written()
    await Promise.resolve()
    add('2')
    expect(group.written()).toBe(first)
    expect(written).toEqual([])
    await first
    expect(written).toEqual(['1', '2'])
    expect(group.written()).toBeUndefined()
  })

  it('writes at once where something has to come after it, and nothing twice', async () => {
    const { written, group, add } = create()
    add('1')
    group.flush()
    expect(written).toEqual(['1'])
    add('2')
    await group.written()
    expect(written).toEqual(['1', '2'])
  })

  it('fails for whoever waits if the storage does', async () => {
    const group = createWriteGroup(() => {
      throw new Error('disk full')
    })
    group.add({ id: '1', text: '{}' })
    await expect(group.written()).rejects.toThrow('disk full')
    expect(group.written()).toBeUndefined()
  })
})
