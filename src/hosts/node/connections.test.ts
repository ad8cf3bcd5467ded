import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { MAX_WAITING_REQUESTS } from '../../contract/limits.ts'
import { createBudget } from './budget.ts'
import { createConnections } from './connections.ts'

it('the limit of waiting requests does not count those that had their turn; a connection is idle when it has answered', () => {
  let turns = 0
  const onCrowd = vi.fn()
  const { begin, closeIdle, closeAll } = createConnections(createBudget(Number.POSITIVE_INFINITY), {
    onTurn: () => turns++,
    onCrowd,
  })
  const channel = Object.assign(new EventEmitter(), { destroyed: false, destroy: vi.fn() })
  const response = Object.assign(new EventEmitter(), { writableFinished: false })
  const ask = () => {
    begin({ request: { socket: channel }, response, channel } as never)
    response.emit('socket')
  }
  for (let count = 0; count <= MAX_WAITING_REQUESTS; count++) ask()
  closeIdle()
  expect([turns, channel.destroy.mock.calls.length]).toEqual([MAX_WAITING_REQUESTS + 1, 0])
  response.writableFinished = true
  closeIdle()
  closeAll()
  expect(channel.destroy).toHaveBeenCalledTimes(2)
  channel.destroyed = true
  ask()
  expect(turns).toBe(MAX_WAITING_REQUESTS + 1)
  expect(onCrowd).not.toHaveBeenCalled()
})
