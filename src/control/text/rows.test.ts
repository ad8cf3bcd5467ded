import { expect, it } from 'vitest'
import { escapeInJson } from '../../contract/escape.ts'
import { createMock } from '../../mock/mock.ts'
import { describeRequest, describeRequests, isFailure, listReasons, printDuration } from './rows.ts'

it('printDuration writes short times in milliseconds and long ones in seconds', () => {
  expect([0.44, 123.4, 1000, 2100].map(printDuration)).toEqual(['0.4 ms', '123 ms', '1 s', '2.1 s'])
})

/** A mock after this many requests, each after a change. */
function record(count: number) {
  const mock = createMock()
  for (let call = 0; call < count; call++) {
    mock.control.latency.set(call + 1)
    mock.answer({ method: 'GET', target: `/v1/Pets?call=${call}`, headers: {} })
  }
  return mock.control
}

it('a request is described with the reason of its refusal once, and other notes', () => {
  const [lines] = record(1)
    .requests()
    .map((row) => describeRequest({ ...row, notes: [row.error ?? '', 'a\n'] }))
  expect(lines).toEqual([
    '#2 GET /v1/Pets?call=0 → 404',
    expect.stringContaining('refused'),
    '    a\\u000a',
    expect.anything(),
  ])
})

it('a refusal that a fault only delayed has its reason, and the error of a fault has not', () => {
  const mock = createMock({
    faults: [
      { operation: 'createPet', delay: 1 },
      { operation: 'listPets', status: 503 },
    ],
  })
  for (const method of ['POST', 'GET'])
    mock.answer({ method, target: '/v1/pets', headers: { authorization: 'Bearer k' } })
  expect(mock.control.requests().map((row) => listReasons(row).map(({ kind }) => kind))).toEqual([
    ['refused', 'fault'],
    ['fault'],
  ])
})

it.each([
  [0, '0 requests', []],
  [1, '1 request', ['◆', '0']],
  [22, '22 requests.*20', ['2', '◆', '3']],
])(
  'of %i requests, a failed test shows the last twenty and the changes among them',
  (count, title, start) => {
    const [heading, ...lines] = describeRequests('a test', record(count).timeline()).split('\n')
    expect(heading).toMatch(new RegExp(`"a test": ${title}:?$`))
    expect(lines.flatMap((line) => /◆|(?<=call=)\d+/.exec(line)?.[0] ?? []).slice(0, 3)).toEqual(
      start,
    )
  },
)

it('a document keeps its line feeds, and escapes other control characters', () => {
  expect(escapeInJson('{\n"a":"\u202e\r"}')).toBe('{\n"a":"\\u202e\\u000d"}')
})

it('a request that was refused or dropped has failed, and one that waits or was given up has not', () => {
  const rows = [
    { status: 200, outcome: 'sent' },
    { status: 404, outcome: 'sent' },
    { status: 0, outcome: 'dropped' },
    // The client got no status.
    { status: 0, outcome: 'waiting' },
    { status: 0, outcome: 'aborted' },
  ] as const
  expect(rows.map(isFailure)).toEqual([false, true, true, false, false])
})
