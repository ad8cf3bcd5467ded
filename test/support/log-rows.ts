// Rows of a request log and what the worlds of a mock share, for tests of these.

import { createChange, type KeptChange, type KeptRequest } from '../../src/world/kept-row.ts'
import { createMemory } from '../../src/world/memory.ts'
import { createTimelines } from '../../src/world/timeline.ts'
import type { WorldDependencies } from '../../src/world/world.ts'

const unkept = { id: 0, before: undefined, at: 0, realAt: 0 }
const request = {
  method: 'GET',
  target: '/v1/pets',
  operation: null,
  key: null,
  requestHeaders: {},
  requestBody: '',
}
const reasons = {
  assumptions: 0,
  faults: [],
  surprises: [],
  notes: [],
  decidedError: null,
  decidedProblems: [],
}
const response = {
  outcome: 'sent',
  durationMs: 0,
  decidedStatus: 200,
  responseHeaders: {},
} as const

export const exchange = (responseBody = ''): KeptRequest => ({
  type: 'request',
  ...unkept,
  ...request,
  ...reasons,
  ...response,
  responseBody,
})

export const change = (text = 'Reset', changed: KeptChange['changed'] = []): KeptChange =>
  createChange({ at: 0, realAt: 0, method: 'assume', text, changed })

/** Time stands still. */
export const still = { real: () => 0, steady: () => 0 }

export function surround(memory = createMemory(), maxRequests?: number): WorldDependencies {
  return { times: still, memory, timelines: createTimelines(memory, maxRequests) }
}
