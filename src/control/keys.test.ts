import { expect, it } from 'vitest'
import { toCall } from '../../test/support/call.ts'
import { createMock } from '../mock/mock.ts'

function start(apiKeys?: readonly string[]) {
  const { control, answer } = createMock(apiKeys ? { apiKeys } : {})
  const ask = (key: string) =>
    answer({ ...toCall('GET', '/v1/pets'), headers: { authorization: `Bearer ${key}` } }).status
  return { control, ask }
}

it('keys.set makes only its keys valid, an empty list none, and null any', () => {
  const { control, ask } = start()
  expect(control.keys.get()).toBe(null)
  control.keys.set(['token-1', 'token-2'])
  expect(control.keys.get()).toEqual(['token-1', 'token-2'])
  expect(['token-1', 'token-2', 'token-3'].map(ask)).toEqual([200, 200, 401])
  control.keys.set([])
  expect(control.keys.get()).toEqual([])
  expect(ask('token-1')).toBe(401)
  control.keys.set(null)
  expect(control.keys.get()).toBe(null)
  expect(['token-3', 'invalid'].map(ask)).toEqual([200, 401])
})

it('keys are put back by undo, redone, and put back by a reset', () => {
  const { control } = start(['token-1'])
  control.keys.set(['token-2'])
  control.keys.set(null)
  expect(control.undo().text).toBe('undid: API keys: …en-2 → none listed; valid-keys: listed → any')
  expect(control.keys.get()).toEqual(['token-2'])
  control.undo()
  expect(control.keys.get()).toEqual(['token-1'])
  control.keys.set(['token-3'])
  control.reset()
  expect(control.keys.get()).toEqual(['token-1'])
})

it('the same keys again are no change', () => {
  const { control } = start(['token-1'])
  control.keys.set(['token-1'])
  expect(control.timeline()).toEqual([])
})

it('a row, a difference and a recording show only the ends of keys', () => {
  const { control } = start(['secret-token-1'])
  control.keys.set(['secret-token-2', 'another-token-3', 'a', 'fourth-token-4'])
  const { apiKeys } = control.diff()
  expect(apiKeys).toEqual({ before: ['…en-1'], after: ['…en-2', '…en-3', '…', '…en-4'] })
  const [row] = control.timeline()
  expect(row).toMatchObject({
    text: 'API keys: …en-1 → …en-2, …en-3, … and 1 more',
    changed: [{ kind: 'apiKeys', id: '' }],
  })
  const shown = control.recording() + JSON.stringify([row, control.diff()])
  expect(shown).not.toMatch(/secret-token|another-token|fourth-token/)
  expect(control.state()).toMatchObject({
    apiKeys: ['secret-token-2', 'another-token-3', 'a', 'fourth-token-4'],
  })
})

it.each([[['two words']], [['']], ['token'], [7]])('keys.set refuses %j', (keys) => {
  const { control } = start()
  expect(() => control.keys.set(keys as never)).toThrow(/^keys/)
  expect(control.keys.get()).toBe(null)
})
