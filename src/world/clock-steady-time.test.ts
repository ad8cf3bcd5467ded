import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createSteadyTime } from './clock.ts'

const platform = performance.now
let reading = 0
beforeEach(() => {
  reading = 5_000
  performance.now = () => reading
})
afterEach(() => {
  performance.now = platform
  vi.useRealTimers()
})

it('counts from its creation, and never backwards', () => {
  const time = createSteadyTime()
  expect(time()).toBe(0)
  reading += 40
  expect(time()).toBe(40)
  reading -= 30
  expect(time()).toBe(40)
  reading += 5
  expect(time()).toBe(45)
})

it('goes on with the time of fake timers, which starts at zero', () => {
  const time = createSteadyTime()
  reading += 40
  expect(time()).toBe(40)
  let faked = 7
  performance.now = () => faked
  expect(time()).toBe(47)
  faked += 3
  expect(time()).toBe(50)
})

it('goes on from where it is when fake timers are gone', () => {
  const time = createSteadyTime()
  reading += 40
  expect(time()).toBe(40)
  performance.now = platform
  expect(time()).toBe(40)
  expect(time()).toBeLessThan(5_000)
})
