// What answers the requests of a node:http server, whether it is ours (`serve`) or another's (`middleware`).
import { describeValue, isObject } from '../../contract/describe-value.ts'
import { UsageError } from '../../contract/errors.ts'
import type { FrontDoorSettings } from '../../control/front-door.ts'
import { MAX_BODIES_BYTES } from '../../limits.ts'
import { isAnswering } from '../../mock/fetch.ts'
import type { Mock } from '../../mock/mock.ts'
import { createBodyBudget } from './call.ts'
import { type Connections, createConnections } from './connections.ts'
import type { NodeControl } from './control.ts'
import { createReceiver, type Receiver, type ReceiverSettings } from './receive.ts'
import { createRounds, type Rounds } from './rounds.ts'
import { createSender } from './send.ts'

interface HandlerSettings {
  readonly control: NodeControl
  readonly checkSender: ReceiverSettings['checkSender']
  readonly frontDoor?: FrontDoorSettings
}

export interface NodeHandler extends Receiver {
  readonly connections: Connections
  readonly rounds: Rounds
  /** From now on connections close with their response, delayed responses are sent at once, and event streams end. */
  stop(): void
}

export function createHandler(mock: Mock, settings: HandlerSettings): NodeHandler {
  const { control } = settings
  if (control.token !== undefined) mock.hide(control.token)
  const rounds = createRounds()
  const connections = createConnections()
  const budget = createBodyBudget(MAX_BODIES_BYTES)
  const sender = createSender(rounds, connections, budget)
  const receiver = createReceiver({ service: mock, connections, rounds, sender, budget, ...settings })
  return {
    ...receiver,
    connections,
    rounds,
    stop() {
      sender.stop()
      control.close()
    },
  }
}

/** Refuses anything but a mock. One of another copy of this package is welcome; what merely answers is not, since a host needs the rest. */
export function checkMock(door: string, value: unknown): asserts value is Mock {
  const { control, hide } = (isAnswering(value) ? value : {}) as Partial<Mock>
  const isMock = typeof hide === 'function' && isObject(control) && typeof control.subscribe === 'function'
  if (!isMock) throw new UsageError(`${door}: expected a mock from createMock, got ${describeValue(value)}`)
}
