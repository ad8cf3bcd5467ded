import { expect, it } from 'vitest'
import { createMock } from '../../mock/mock.ts'
import { describeRequest, describeRequests } from './describe-request.ts'

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
