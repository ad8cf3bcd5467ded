import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { MockEvent } from '../../control/control.ts'
import { hasColour } from '../../control/rows/has-colour.ts'
import { renderRowLine } from '../../control/rows/row-line.ts'
import { findSandbox } from '../../control/rows/row-owners.ts'
import { addValues, type RequestRow } from '../../world/row.ts'
import { startLog, toJsonLine } from './log.ts'

const row = addValues({
  type: 'request',
  id: 3,
  at: '2030-12-06T10:02:03.125Z',
  realAt: '2026-11-15T10:02:03.125Z',
  sandbox: null,
  method: 'GET',
  target: '/v1/pets?limit=5',
  operation: 'listPets',
  status: 200,
  assumptions: [],
  faults: [],
  surprises: [],
  notes: [],
  error: null,
  problems: [],
  outcome: 'sent',
  durationMs: 0.43219,
  key: '…-key',
  request: { headers: {}, body: '' },
  response: { headers: { Date: 'now' }, body: '[]' },
})

it('the log shows a change as a line with a mark, and escapes control characters in it', () => {
  const change = {
    type: 'change',
    method: 'assume',
    changed: [],
    isWhole: false,
    undoes: null,
    isUndo: false,
    isUndone: false,
    canUndo: true,
    sandbox: null,
    at: '',
  } as const
  const shown = {
    ...change,
    id: 12,
    sandbox: 'b-key',
    realAt: '2030-12-06T10:02:03.125Z',
    text: 'a \u001b[2J',
  }
  expect(renderRowLine(shown, { findOwner: findSandbox })).toBe(
    '10:02:03.125Z #12 b-key ◆ a \\u001b[2J',
  )
})

describe('the log', () => {
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

  function start() {
    const written: string[] = []
    const stream = Object.assign(new EventEmitter(), {
      write: (text: string) => written.push(text),
    })
    let listener = (_: MockEvent) => {}
    const subscribe = (given: typeof listener) => {
      listener = given
      return () => {}
    }
    const stop = startLog({ control: { subscribe } as never }, 'pretty', stream as never)
    const add = (change: Partial<RequestRow>) =>
      listener({ type: 'request', sandbox: null, row: { ...row, ...change } })
    /** What it writes in the next turn of the event loop, in short. */
    const show = async (change: Partial<RequestRow>) => {
      add(change)
      await nextTurn()
      return shortenAll()
    }
    const shortenAll = () =>
      written.splice(0).map((text) => text.replace(/^\S+ (#\d+).*?( · |-key ?)/gm, '$1 '))
    return { stream, stop, add, show, shortenAll }
  }

  it('shows a request at once, and equal ones that come with it as one line', async () => {
    const { add, show, stop, shortenAll } = start()
    expect([await show({ id: 1 }), await show({ id: 2 })]).toEqual([['#1 \n'], ['#2 \n']])
    for (const id of [3, 4]) add({ id })
    expect(await show({ id: 5, status: 503 })).toEqual(['#4 2 times since #3\n#5 \n'])
    add({ id: 6 })
    stop()
    expect(shortenAll()).toEqual(['#6 \n'])
    stop()
    expect(shortenAll()).toEqual([])
  })

  it('writes all lines of one turn of the event loop at once, and not before its end', async () => {
    const { add, shortenAll } = start()
    for (const id of [1, 2, 3]) add({ id, target: `/${id}` })
    expect(shortenAll()).toEqual([])
    await nextTurn()
    expect(shortenAll()).toEqual(['#1 \n#2 \n#3 \n'])
  })

  it('goes on once the reader has closed the pipe', async () => {
    const { stream, show } = start()
    stream.emit('error', new Error('EPIPE'))
    expect(await show({ id: 1 })).toEqual(['#1 \n'])
  })
})

describe('a line of the pretty log', () => {
  it.each<[string, Partial<RequestRow>, string]>([
    [
      'method, target, status, duration, operation and key',
      {},
      '10:02:03.125Z #3 GET  /v1/pets?limit=5         200 0.4 ms listPets …-key',
    ],
    [
      'the reason for a refusal, once',
      {
        status: 404,
        error: 'Missing /v1; did you mean /v1/pets?',
        notes: ['Missing /v1; did you mean /v1/pets?', 'a hint'],
      },
      '10:02:03.125Z #3 GET  /v1/pets?limit=5         404 0.4 ms listPets …-key Missing /v1; did you mean /v1/pets? · a hint',
    ],
    [
      'the assumptions that the response depends on',
      { status: 400, assumptions: ['invalid-query', 'list-order'] },
      '10:02:03.125Z #3 GET  /v1/pets?limit=5         400 0.4 ms listPets …-key assumes invalid-query, list-order',
    ],
    [
      'the faults that struck the request, and surprises',
      { status: 503, faults: ['1', '2'], surprises: ['order'], durationMs: 10, sandbox: 'ann' },
      '10:02:03.125Z #3 GET  /v1/pets?limit=5         503 10 ms listPets …-key fault 1, 2 · surprise order',
    ],
    [
      'a dropped connection',
      { status: 0, outcome: 'dropped', faults: ['Prefer'] },
      '10:02:03.125Z #3 GET  /v1/pets?limit=5         dropped 0.4 ms listPets …-key fault Prefer',
    ],
    [
      'the notes on a request to an unknown path',
      {
        method: 'DELETE',
        target: '/pets',
        operation: null,
        key: null,
        status: 404,
        notes: ['no /v1', 'and more'],
      },
      '10:02:03.125Z #3 DELETE /pets                    404 0.4 ms - - no /v1 · and more',
    ],
    [
      'control characters of a client as escapes',
      { target: '/v1/\u001b[2J\u202e\u0085\n', method: 'G\rT', notes: ['\ud800 \u2028'] },
      '10:02:03.125Z #3 G\\u000dT /v1/\\u001b[2J\\u202e\\u0085\\u000a 200 0.4 ms listPets …-key \\ud800 \\u2028',
    ],
    [
      'a long target cut short',
      { target: `/${'x'.repeat(8000)}` },
      `10:02:03.125Z #3 GET  /${'x'.repeat(299)}… 200 0.4 ms listPets …-key`,
    ],
  ])('shows %s', (_what, change, line) => {
    expect(renderRowLine({ ...row, ...change })).toBe(line)
  })

  it.each([
    [200, 32],
    [400, 33],
    [500, 31],
    [0, 35],
  ])('shows the status %i in the colour %i', (status, code) => {
    const line = renderRowLine(
      { ...row, status, outcome: status === 0 ? 'dropped' : 'sent' },
      { colour: true },
    )
    const paint = (text: unknown, colour = 2) => `\u001b[${colour}m${text}\u001b[0m`
    const shown = paint(status || 'dropped', code)
    expect(line).toBe(
      `${paint('10:02:03.125Z #3')} GET  /v1/pets?limit=5         ${shown} 0.4 ms listPets ${paint('…-key')}`,
    )
    expect(renderRowLine({ ...row, status })).not.toContain('\u001b')
  })
})

describe('a line of the JSON log', () => {
  it('escapes control characters, and parses to the same text', () => {
    const target = '/\u202e\u0085\u001b\u2028\udc00"\\\u{e0001}'
    const line = toJsonLine({ ...row, target })
    expect(line).toMatch(/^[\x20-\x7e…]*$/)
    expect(JSON.parse(line).target).toBe(target)
  })
})

describe('the use of colour', () => {
  it.each([
    [{ isTTY: true }, {}, true],
    [{ isTTY: true }, { NO_COLOR: '' }, true],
    [{ isTTY: true }, { NO_COLOR: '1' }, false],
    [{ isTTY: true }, { TERM: 'dumb' }, false],
    [{}, {}, false],
    [{}, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    [{ isTTY: true }, { FORCE_COLOR: '0' }, false],
  ])('for the stream %j and the environment %j is %s', (stream, environment, expected) => {
    expect(hasColour(stream, environment)).toBe(expected)
  })
})
