import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { expect, it, vi } from 'vitest'
import { createMock } from '../../mock/mock.ts'
import { createHandler } from './handler.ts'

it.each([
  ['says nothing', { bytesRead: 0, writable: true }, 0, [0, 1, 0]],
  ['stops in the middle of a message', { bytesRead: 9, writable: true }, 0, [1, 0, 1]],
  ['has left', { bytesRead: 9, writable: false }, 0, [0, 1, 0]],
  ['stops, where responses take their time', { bytesRead: 9, writable: true }, 60_000, [0, 0, 0]],
])(
  'a client that is too slow and %s is disconnected, and told why if it can be',
  (_, state, latency, expected) => {
    const mock = createMock({ latency })
    const { connections, refuseUnreadable } = createHandler(mock, {
      isOn: false,
      token: undefined,
      findSenderError: () => undefined,
    })
    const [end, destroy] = [vi.fn(), vi.fn()]
    const socket = Object.assign(new EventEmitter(), {
      ...state,
      end,
      destroy,
    }) as unknown as Socket
    const tooSlow = () => refuseUnreadable({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket)
    connections.open(socket)
    for (let times = 1; times <= 2; times++) tooSlow()
    expect([
      end.mock.calls.length,
      destroy.mock.calls.length,
      mock.control.requests().length,
    ]).toEqual(expected)
    socket.emit('close')
    expect(tooSlow).not.toThrow()
  },
)
