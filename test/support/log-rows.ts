// Rows of a request log, for tests of what keeps them.
import type { Change } from '../../src/world/change.ts'
import type { LogRow } from '../../src/world/log-entry.ts'

const times = { id: 0, at: 0, realAt: 0 }
const request = { method: 'GET', target: '/v1/pets', operation: undefined, key: undefined, fields: [], requestBody: '' }
const reasons = { assumptions: [], faults: [], surprises: [], notes: [], error: undefined, problems: [] }
const response = { outcome: 'sent', durationMs: 0, status: 200, responseHeaders: {} } as const
const none = { undoes: null, isUndo: false, isStart: false }

export const exchange = (responseBody = ''): LogRow => ({ ...times, ...request, ...reasons, ...response, responseBody })

export function change(text = 'Reset', changed: readonly string[] = []): Change {
  return { type: 'change', ...times, method: 'reset', changed, text, subject: text, ...none }
}
