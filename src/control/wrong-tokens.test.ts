import { expect, it, vi } from 'vitest'
import type { Call, Reply } from '../service/call.ts'
import { createWrongTokens } from './wrong-tokens.ts'

const call = (authorization?: string): Call => ({
  method: 'GET',
  target: '/__mock/state',
  header: (name) => (name === 'authorization' ? authorization : undefined),
})
const refusal: Reply = { status: 401, headers: {}, body: '' }

it('holds the refusals of wrong tokens back after the first five hundred, and nothing else', () => {
  const slowDown = createWrongTokens({ log: () => {}, later: () => {} })
  const reply: Reply = { status: 200, headers: {}, body: '{}' }
  for (let turn = 0; turn < 500; turn++) expect(slowDown(call('Bearer wrong'), refusal)).toBe(refusal)
  expect(slowDown(call('Bearer wrong'), refusal)).toEqual({ ...refusal, delay: 1_000 })
  expect(slowDown(call(), refusal)).toBe(refusal)
  expect(slowDown(call('Bearer right'), reply)).toBe(reply)
})

it('logs the first at once and the others together, at most every ten seconds', () => {
  vi.useFakeTimers()
  try {
    const lines: string[] = []
    const slowDown = createWrongTokens({ log: (text) => lines.push(text), later: setTimeout })
    for (let turn = 0; turn < 100; turn++) slowDown(call('Bearer wrong'), refusal)
    expect(lines).toEqual(['control API: rejected a wrong token'])
    vi.advanceTimersByTime(10_000)
    expect(lines.slice(1)).toEqual(['control API: rejected 99 wrong tokens'])
    vi.advanceTimersByTime(60_000)
    expect(lines).toHaveLength(2)
    slowDown(call('Bearer wrong'), refusal)
    expect(lines.slice(2)).toEqual(['control API: rejected a wrong token'])
  } finally {
    vi.useRealTimers()
  }
})
