import { describe, expect, it } from 'vitest'
import { dereference } from './dereference.ts'

const document = {
  a: { $ref: '#/b' },
  b: { c: { type: 'string' }, 'x/y~z': { type: 'integer' } },
  loop: { $ref: '#/pool' },
  pool: { $ref: '#/loop' },
}

describe('dereference', () => {
  it.each([
    ['a part that is no reference', document.b.c, document.b.c],
    ['a reference', { $ref: '#/b/c' }, document.b.c],
    ['a reference to a reference', { $ref: '#/a' }, document.b],
    ['a part with a property of that name', { $ref: { type: 'string' } }, { $ref: { type: 'string' } }],
    ['a reference with an escaped name', { $ref: '#/b/x~1y~0z' }, document.b['x/y~z']],
  ])('finds %s', (_, part: object, found) => {
    expect(dereference(document, part)).toEqual(found)
  })

  it.each([
    ['#/b/nothing', '#/b/nothing points to nothing'],
    ['other.yaml#/b', 'other.yaml#/b points to nothing'],
    ['#/b/c/type', '#/b/c/type points to nothing'],
    ['#/loop', '#/loop points to itself'],
  ])('refuses %s', ($ref, message) => {
    expect(() => dereference(document, { $ref })).toThrow(new Error(message))
  })
})
