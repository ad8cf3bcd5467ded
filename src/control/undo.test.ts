import { expect, it } from 'vitest'
import { createUndos } from './undo.ts'

const replaced = (bytes: number, restore = () => {}) => ({ what: 'load', bytes, restore }) as const

it('remembers up to its limit, and forgets the oldest beyond it', () => {
  const undos = createUndos<string>(10)
  undos.remember('a', replaced(4))
  undos.remember('b', replaced(6))
  undos.remember('b', replaced(6))
  expect(undos.undo('a')).toBe('load')
  undos.remember('c', replaced(5))
  expect([undos.undo('b'), undos.undo('c')]).toEqual([undefined, 'load'])
  undos.remember('d', replaced(11))
  expect(undos.undo('d')).toBeUndefined()
})

it('undoes once, and not at all what was forgotten', () => {
  const undos = createUndos<string>(10)
  let restored = 0
  undos.remember(
    'a',
    replaced(1, () => void restored++),
  )
  expect([undos.undo('a'), undos.undo('a'), undos.undo('z'), restored]).toEqual(['load', undefined, undefined, 1])
  undos.remember('a', replaced(1))
  undos.forget('a')
  expect(undos.undo('a')).toBeUndefined()
})

it('still knows what could not be restored', () => {
  const undos = createUndos<string>()
  let isFull = true
  const restore = () => {
    if (isFull) throw new Error('full')
  }
  undos.remember('a', replaced(1, restore))
  expect(() => undos.undo('a')).toThrow('full')
  isFull = false
  expect(undos.undo('a')).toBe('load')
})
