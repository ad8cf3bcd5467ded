// One service, four places: the same requests go to the same mock on every host at once, and
// whatever one of them answers, all must answer, to the byte, and remember alike.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'
import { type Answer, type Api, type Ask, Dropped, startOn } from '../support/hosts.ts'
import { checkProperty } from '../support/property.ts'
import { ask, scenario } from './requests.ts'

const PLACES = ['direct', 'fetch', 'node', 'msw'] as const
/** Only hosts with a connection have fields about it. */
const OF_THE_CONNECTION = ['connection', 'keep-alive']
/** What a client adds on the way to a server. */
const OF_THE_WAY = [...OF_THE_CONNECTION, 'host', 'content-length', 'transfer-encoding']

/** What the dice may not bring within a short run. */
const everyKind: Ask[] = [
  {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode('{"name":"🐈","categoryId":9007199254740993}'),
  },
  { target: '/v1/pets/9007199254740992' },
  { method: 'HEAD' },
  { headers: { prefer: 'drop' } },
  { headers: { prefer: 'code=503' } },
  { method: 'OPTIONS', key: null },
]

type Seen = { status: number; headers: Record<string, string>; text: string } | 'dropped'

it('every host answers random requests alike, and logs them alike', async () => {
  const apis: Api[] = []
  for (const place of PLACES) apis.push(await startOn(place, createMock()))
  const seen = { requests: 0, statuses: new Set<number | 'dropped'>() }
  await checkProperty(
    'four hosts',
    60,
    fc.asyncProperty(
      scenario,
      fc.array(ask, { minLength: 6, maxLength: 12, size: 'max' }),
      async (start, asks) => {
        for (const { mock } of apis) mock.control.load(start)
        for (const one of asks) {
          const [direct, ...others] = await Promise.all(apis.map((api) => see(api, one)))
          for (const [index, other] of others.entries())
            expect(other, PLACES[index + 1]).toEqual(direct)
          seen.requests++
          seen.statuses.add(
            direct === 'dropped' ? direct : (direct as Exclude<Seen, string>).status,
          )
        }
        const [direct, ...others] = apis.map(({ mock }) => remember(mock))
        for (const [index, other] of others.entries())
          expect(other, PLACES[index + 1]).toEqual(direct)
      },
    ),
    [[{ now: '2026-11-15', frozen: true, nextId: 2n ** 53n }, everyKind]],
  )
  // A run that only ever saw refusals would prove nothing.
  for (const status of [200, 201, 204, 400, 401, 404, 405, 503, 'dropped'] as const)
    expect(seen.statuses).toContain(status)
})

async function see(api: Api, one: Ask): Promise<Seen> {
  try {
    return comparable(await api.ask(one))
  } catch (error) {
    if (error instanceof Dropped) return 'dropped'
    throw error
  }
}

function comparable({ status, headers, text }: Pick<Answer, 'status' | 'headers' | 'text'>) {
  return { status, headers: without(OF_THE_CONNECTION, headers), text }
}

function without(
  names: readonly string[],
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
}

/** The world and its request log, but for when things really happened and how long they took. */
function remember({ control }: Mock) {
  const requestLog = control.requests().map(({ realAt, durationMs, request, ...row }) => ({
    ...row,
    request: { ...request, headers: without(OF_THE_WAY, request.headers) },
  }))
  return { state: control.state(), requestLog }
}
