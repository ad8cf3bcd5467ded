// Rows of a request log, for tests of what keeps them.
import type { Change } from '../../src/world/change.ts'
import type { LogRow } from '../../src/world/log-entry.ts'

export const exchange = (responseBody = ''): LogRow => ({
  id: 0,
  at: 0,
  realAt: 0,
  method: 'GET',
  target: '/v1/pets',
  operation: undefined,
  assumptions: [],
  faults: [],
  surprises: [],
  notes: [],
  error: undefined,
  problems: [],
  outcome: 'sent',
  durationMs: 0,
  key: undefined,
  fields: [],
  requestBody: '',
  status: 200,
  responseHeaders: {},
  responseBody,
})

export function change(text = 'Reset', changed: readonly string[] = []): Change {
  const undo = { undoes: null, isUndo: false, isStart: false }
  return { type: 'change', id: 0, at: 0, realAt: 0, method: 'reset', changed, text, subject: text, ...undo }
}
