import { describe, expect, it } from 'vitest'
import { describeFault } from './describe-fault.ts'
import type { TimedFault } from './faults.ts'

describe('describeFault', () => {
  it.each<[fault: Omit<TimedFault, 'operation'>, sentence: string]>([
    [{ status: 503 }, 'createPet fails with 503'],
    [{ status: 503, retryAfter: 30 }, 'createPet fails with 503 (Retry-After: 30 s)'],
    [{ delay: 200 }, 'createPet waits 200 ms'],
    [{ delay: [200, 800] }, 'createPet waits 200–800 ms'],
    [{ status: 500, delay: 100 }, 'createPet fails with 500 after 100 ms'],
    [
      { status: 502, body: 'html', retryAfter: 1 },
      'createPet responds 502 with an HTML page (Retry-After: 1 s)',
    ],
    [
      { body: 'truncated', petId: 7, times: 1 },
      'createPet responds with half of its body, only animal 7, once',
    ],
    [{ response: { status: 418 }, delay: 5 }, 'createPet responds 418 as given after 5 ms'],
    [{ drop: true }, 'createPet drops the connection'],
    [{ rst: true, times: 1 }, 'createPet resets the connection, once'],
    [{ body: 'cut' }, 'createPet responds with half of its body, and closes the connection'],
    [{ slow: 2_000 }, 'createPet sends 2kB/s'],
    [{ slow: 1_500, delay: 20 }, 'createPet waits 20 ms, then sends 1500B/s'],
    [{ slow: 10, delay: 20, status: 503 }, 'createPet fails with 503 after 20 ms at 10B/s'],
    [{ lost: true, delay: 9 }, 'createPet runs, and its response is lost after 9 ms'],
    [{ drop: true, rate: 0.0005 }, 'createPet drops the connection, 0.05% of the time'],
    [
      { drop: true, rate: 0.125, times: 3, after: 1 },
      'createPet drops the connection, 12.5% of the time, 3 times, skipping 1 call first',
    ],
    [{ status: 500, after: 3, times: 1 }, 'createPet fails with 500, once, skipping 3 calls first'],
    [{ status: 500, after: 0 }, 'createPet fails with 500'],
    [{ status: 503, times: 2 }, 'createPet fails with 503, twice'],
    [{ status: 503, times: 2, applied: 1 }, 'createPet fails with 503, 1 of 2'],
    [{ status: 503, times: 0 }, 'createPet fails with 503, never'],
    [
      { status: 503, times: 2, applied: 1, when: { query: { status: 'sold' } } },
      'createPet with status sold fails with 503, 1 of 2',
    ],
    [
      { drop: true, when: { query: { page: null }, headers: { 'X-Tenant': 'zoo' }, body: [1] } },
      'createPet without page and with x-tenant zoo and with the body [1] drops the connection',
    ],
    [
      { drop: true, when: { body: { name: '', categoryId: 7 }, apiKey: '…-key#0011aabb' } },
      'createPet with name "" and with categoryId 7 and with the key …-key drops the connection',
    ],
  ])('describes %j as "%s"', (fault, sentence) => {
    expect(describeFault({ operation: 'createPet', ...fault } as TimedFault)).toBe(sentence)
  })
})
