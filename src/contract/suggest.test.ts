import { expect, it } from 'vitest'
import { suggest } from './suggest.ts'

it('names are suggested in one list, if none is near', () =>
  expect(suggest('x', ['one', 'two', 'three'])).toContain(' one, two or three'))
