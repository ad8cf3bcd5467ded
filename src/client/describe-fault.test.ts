import { describe, expect, it } from 'vitest'
import type { TimedFault } from '../world/faults.ts'
import { describeFault } from './describe-fault.ts'

describe('describeFault', () => {
  it.each<[fault: Omit<TimedFault, 'operation'>, sentence: string]>([
    [{ status: 503 }, 'responds 503'],
    [{ status: 503, retryAfter: 30 }, 'responds 503 (Retry-After: 30 s)'],
    [{ delay: 200 }, 'responds after 200 ms'],
    [{ delay: [200, 800] }, 'responds after 200–800 ms'],
    [{ status: 500, delay: 100 }, 'responds 500 after 100 ms'],
    [{ status: 502, body: 'html', retryAfter: 1 }, 'responds 502 with an HTML page (Retry-After: 1 s)'],
    [{ body: 'truncated', petId: 7, times: 1 }, 'responds with half of its body, only animal 7, once'],
    [{ drop: true }, 'drops the connection'],
    [{ drop: true, rate: 0.0005 }, 'drops the connection, 0.05% of the time'],
    [{ drop: true, rate: 0.125, times: 2, after: 1 }, 'drops the connection, 12.5% of the time, at most 2 times, skipping the first call'],
    [{ status: 500, after: 3, times: 1 }, 'responds 500, once, skipping the first 3 calls'],
    [{ status: 500, after: 0 }, 'responds 500'],
    [{ status: 503, times: 2, applied: 1 }, 'responds 503, at most 2 times'],
    [{ status: 503, times: 2, applied: 2 }, 'responds 503, at most 2 times, used up'],
  ])('%j', (fault, sentence) => {
    expect(describeFault({ operation: '*', ...fault } as TimedFault)).toBe(sentence)
  })
})
