import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createToken } from './token.ts'

/** A tab with a storage of its own. */
function open(name: string, kept?: string) {
  const items = new Map<string, string>(kept === undefined ? [] : [['animal-store-mock.token', kept]])
  const storage = { getItem: (key: string) => items.get(key) ?? null, setItem: (key: string, value: string) => items.set(key, value) }
  const channel = new BroadcastChannel(name)
  onTestFinished(() => channel.close())
  const onReceived = vi.fn()
  return { ...createToken(storage as unknown as Storage, channel, onReceived), onReceived }
}

describe('the token', () => {
  it('is asked of the other tabs by one that has none', async () => {
    const first = open('one', 'secret')
    const second = open('one')
    await vi.waitFor(() => expect(second.get()).toBe('secret'))
    expect(second.onReceived).toHaveBeenCalledOnce()
    expect(first.onReceived).not.toHaveBeenCalled()
  })

  it('is told to the other tabs once it has been accepted, not before', async () => {
    const first = open('two')
    const second = open('two', 'of-yesterday')
    first.set('wrong')
    first.set('right')
    first.share()
    await vi.waitFor(() => expect(second.get()).toBe('right'))
    expect(second.onReceived).toHaveBeenCalledOnce()
  })

  it('is one that was typed until it has been accepted, and a remembered one from then on', () => {
    const tab = open('three')
    expect(tab.source()).toBeUndefined()
    tab.set('secret')
    expect(tab.source()).toBe('typed')
    tab.share()
    expect([tab.source(), open('four', 'of-yesterday').source()]).toEqual(['remembered', 'remembered'])
  })
})
