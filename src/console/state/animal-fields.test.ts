import { describe, expect, it } from 'vitest'
import { toAnimalChanges, toFieldTexts, toNewAnimal } from './animal-fields.ts'
import type { InterfaceField } from './read-interface.ts'

const toField = (name: string, type: string, isRequired: boolean): InterfaceField => ({
  name,
  place: 'body',
  isRequired,
  description: '',
  type,
  choices: [],
  fallback: '',
})
const fields = [toField('name', 'string', true), toField('categoryId', 'int64', true), toField('status', 'string', false)]

describe('the form of an animal', () => {
  it('is exact at int64 both ways', () => {
    const texts = toFieldTexts({ name: 'Rex', categoryId: 9223372036854775807n }, fields)
    expect(texts).toEqual({ name: 'Rex', categoryId: '9223372036854775807', status: '' })
    expect(toNewAnimal(texts, fields)).toEqual({ name: 'Rex', categoryId: 9223372036854775807n })
  })

  it('leaves it to the mock to refuse what is no number', () => {
    expect(toNewAnimal({ name: '', categoryId: 'x', status: '' }, fields)).toEqual({ name: '', categoryId: 'x' })
    expect(toNewAnimal({ name: '', categoryId: '1.5', status: 'sold' }, fields)).toEqual({ name: '', categoryId: 1.5, status: 'sold' })
    expect(toNewAnimal({ name: '', categoryId: '', status: '' }, fields)).toEqual({ name: '', categoryId: '' })
  })

  it('changes only what was changed, and removes what was emptied', () => {
    const before = { name: 'Rex', categoryId: '1', status: 'sold' }
    expect(toAnimalChanges(before, before, fields)).toEqual({})
    expect(toAnimalChanges(before, { name: '', categoryId: '2', status: '' }, fields)).toEqual({ name: '', categoryId: 2, status: null })
  })
})
