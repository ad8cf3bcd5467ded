// Rows of a request log and what the worlds of a mock share, for tests of these.
import { entryFormat } from '../../src/service/entry-format.ts'
import type { Change } from '../../src/world/change.ts'
import type { LogRow } from '../../src/world/log-entry.ts'
import { createMemory } from '../../src/world/memory.ts'
import { createRequestLogs, type RequestLogLimits } from '../../src/world/request-log.ts'
import type { Surroundings } from '../../src/world/world.ts'

const unkept = { id: 0, before: undefined, at: 0, realAt: 0 }
const request = { method: 'GET', target: '/v1/pets', operation: undefined, key: undefined, fields: [], requestBody: '' }
const reasons = { assumptions: [], faults: [], surprises: [], notes: [], error: undefined, problems: [] }
const response = { outcome: 'sent', durationMs: 0, status: 200, responseHeaders: {} } as const

export const exchange = (responseBody = ''): LogRow => ({ ...unkept, ...request, ...reasons, ...response, responseBody })

export function change(text = 'Reset', changed: Change['changed'] = []): Change {
  return {
    type: 'change',
    ...unkept,
    method: 'reset',
    changed,
    text,
    subject: text,
    undoes: null,
    isUndo: false,
    isUndone: false,
    canUndo: false,
    isWhole: false,
    startsAgain: false,
  }
}

/** Time stands still. */
export const still = { real: () => 0, steady: () => 0 }

export function surround(memory = createMemory(), limits?: RequestLogLimits): Surroundings {
  return { times: still, memory, requestLogs: createRequestLogs(entryFormat, memory, limits) }
}
