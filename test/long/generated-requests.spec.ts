// Ten thousand requests that the contract itself makes up, sent to the real server one after another. What is checked of each
// follows Schemathesis: no server error, documented status, content type and schema, bad data refused, good data taken, other
// methods refused, no way around the key, what was created is there, and what was not is not.
import fc, { type Arbitrary } from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock } from '../../src/index.ts'
import { allowed, bad, badParameter, good, goodParameter, type Operation, operations, type Parameter } from '../support/contract-data.ts'
import { judge, UNDOCUMENTED } from '../support/judge.ts'
import { createRawClient, type RawAnswer } from '../support/raw-client.ts'

const REQUESTS = 10_000
const KEY = 'generated-key'

/** A request, with what it is for and what it breaks, if anything. */
interface Case {
  readonly operation: Operation
  readonly kind: 'good' | 'bad parameter' | 'bad body' | 'bad JSON' | 'other method' | 'no key'
  readonly why?: string
  readonly method?: string
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
  readonly authorization?: string | undefined
}

/** Values for the parameters at one place, only the required ones surely there. */
function parametersIn(operation: Operation, place: Parameter['in']): Arbitrary<Record<string, string>> {
  const here = operation.parameters.filter((parameter) => parameter.in === place)
  const values = Object.fromEntries(here.map((parameter) => [parameter.name, goodParameter(parameter)]))
  return fc.record(values, {
    requiredKeys: here.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  }) as Arbitrary<Record<string, string>>
}

function goodCase(operation: Operation): Arbitrary<Case> {
  return fc.record({
    operation: fc.constant(operation),
    kind: fc.constant('good' as const),
    path: parametersIn(operation, 'path'),
    query: parametersIn(operation, 'query'),
    body: operation.body ? good(operation.body) : fc.constant(undefined),
    authorization: fc.constantFrom(`Bearer ${KEY}`, `bearer ${KEY}`, `BEARER  ${KEY}`),
  })
}

/** Everything that can be wrong with a call of one operation, one thing at a time. */
function badCases(operation: Operation): Arbitrary<Case>[] {
  const base = goodCase(operation)
  const parameters = operation.parameters.map((parameter) =>
    fc.tuple(base, badParameter(parameter)).map(([one, { why, text }]): Case => {
      const place = { ...one[parameter.in], [parameter.name]: text }
      return { ...one, [parameter.in]: place, kind: 'bad parameter', why: `${parameter.name}: ${why}` }
    }),
  )
  if (!operation.body) return parameters
  const body = fc.tuple(base, bad(operation.body)).map(([one, { why, text }]): Case => ({ ...one, body: text, kind: 'bad body', why }))
  return [
    ...parameters,
    body,
    body,
    fc.tuple(base, damage).map(([one, { why, of }]): Case => ({ ...one, body: of(one.body as string), kind: 'bad JSON', why })),
  ]
}

const utf8 = new TextEncoder()
const damage = fc.constantFrom<{ why: string; of(json: string): string | Uint8Array }>(
  { why: 'cut off', of: (json) => json.slice(0, -1) },
  { why: 'nothing', of: () => '' },
  { why: 'something after it', of: (json) => `${json}]` },
  { why: 'a comma too many', of: (json) => json.replace(/\}$/, ',}') },
  { why: 'a byte order mark', of: (json) => `\ufeff${json}` },
  { why: 'half a surrogate pair', of: (json) => json.replace(/\}$/, ',"x":"\\ud83d"}') },
  { why: 'a control character', of: (json) => json.replace(/\}$/, ',"x":"\u0001"}') },
  { why: 'too deep', of: (json) => json.replace(/\}$/, `,"x":${'['.repeat(65)}${']'.repeat(65)}}`) },
  {
    why: 'Latin-1',
    of: (json) => new Uint8Array([...utf8.encode(json.slice(0, -1)), ...utf8.encode(',"x":"'), 0xe9, ...utf8.encode('"}')]),
  },
)

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY', 'PROPFIND', 'LINK']
function otherMethod(operation: Operation): Arbitrary<Case> {
  const taken = (allowed.get(operation.path) as string).split(', ')
  return fc
    .tuple(goodCase(operation), fc.constantFrom(...METHODS.filter((method) => !taken.includes(method))))
    .map(([one, method]): Case => ({ ...one, method, kind: 'other method' }))
}

const noKey = fc.constantFrom(
  undefined,
  'Bearer invalid',
  'Bearer',
  'Bearer ',
  `Basic ${btoa('a:b')}`,
  `Digest ${KEY}`,
  KEY,
  'Bearer two words',
  'Bearer k\u00e4y',
)
const anyCase: Arbitrary<Case> = fc.oneof(
  ...operations.flatMap((operation) => [
    { weight: 12, arbitrary: goodCase(operation) },
    { weight: 10, arbitrary: fc.oneof(...badCases(operation)) },
    { weight: 2, arbitrary: otherMethod(operation) },
    {
      weight: 2,
      arbitrary: fc.tuple(goodCase(operation), noKey).map(([one, authorization]): Case => ({ ...one, authorization, kind: 'no key' })),
    },
  ]),
)

function toRequest({ operation, method = operation.method, path, query, body, authorization }: Case) {
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] as string))
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const fields: [string, string][] = authorization === undefined ? [] : [['Authorization', authorization]]
  if (body !== undefined) fields.push(['Content-Type', 'application/json'])
  return { method, target: filled + (pairs.length > 0 ? `?${pairs.join('&')}` : ''), fields, body }
}

it('takes what the contract allows, refuses what it forbids, and says both as documented', async () => {
  const mock = createMock({ pets: [] })
  const { port, close } = await serve(mock)
  const client = createRawClient(port)
  onTestFinished(async () => {
    client.close()
    await close()
  })
  const seed = process.env.SPEC_SEED ? Number(process.env.SPEC_SEED) : Date.now() | 0
  console.log(`generated requests: repeat with SPEC_SEED=${seed}`)
  const added: string[] = []
  const kinds = new Map<string, number>()
  const ask = (target: string) => client.ask({ target, fields: [['Authorization', `Bearer ${KEY}`]] })

  /** Of what was added, all that can be asked again must be there. */
  async function findAgain(pet: string): Promise<void> {
    const id = /^\{"id":(-?\d+)/.exec(pet)?.[1]
    expect((await ask(`/v1/pets/${id}`)).text).toBe(pet)
    if (added.length <= 100) expect((await ask('/v1/pets?limit=100')).text).toBe(`[${added.join(',')}]`)
  }

  function check(one: Case, { status, headers, text }: RawAnswer): void {
    const { operation, kind } = one
    expect(status).toBeLessThan(500)
    expect(headers).not.toHaveProperty('x-mock-bug')
    // Only an assumption may answer a documented operation with another status, and it says so.
    const isDocumented = operation.statuses.includes(status)
    if (!isDocumented) expect(Object.keys(UNDOCUMENTED).map(Number)).toContain(status)
    if (!isDocumented && kind !== 'other method') expect(headers['x-mock-assumption']).toBeDefined()
    switch (kind) {
      case 'good':
        // A good id that no animal has is the one success that cannot be promised.
        if (operation.path.includes('{')) expect([200, 404]).toContain(status)
        else expect(status).toBe(operation.success)
        return
      case 'other method':
        expect(status).toBe(405)
        expect(headers.allow).toBe(allowed.get(operation.path))
        return
      case 'no key':
        expect(status).toBe(401)
        expect(headers['www-authenticate']).toMatch(/^Bearer realm="animal-store"/)
        return
      default:
        expect([400, 404]).toContain(status)
        expect(JSON.parse(text).status).toBe(status)
    }
  }

  let sent = 0
  for (const one of fc.sample(anyCase, { numRuns: REQUESTS, seed })) {
    const request = toRequest(one)
    try {
      const answer = await client.ask(request)
      sent++
      judge({ ...answer, method: request.method, target: request.target }, false)
      check(one, answer)
      kinds.set(
        `${one.operation.operationId} ${one.kind} ${answer.status}`,
        (kinds.get(`${one.operation.operationId} ${one.kind} ${answer.status}`) ?? 0) + 1,
      )
      if (answer.status === 201) {
        expect(answer.text).toBe(`{"id":${added.length + 1},${(one.body as string).slice(1)}`)
        added.push(answer.text)
        if (sent % 20 === 0) await findAgain(answer.text)
      } else if (one.operation.method === 'POST' && sent % 20 === 0) expect(mock.control.summary().pets).toBe(added.length)
    } catch (error) {
      const what = [
        request.method,
        request.target.slice(0, 300),
        one.authorization,
        typeof one.body === 'string' ? one.body.slice(0, 300) : one.body,
      ].join(' ')
      throw new Error(`${one.operation.operationId}, ${one.kind}${one.why ? ` (${one.why})` : ''}: ${what}\n${(error as Error).message}`, {
        cause: error,
      })
    }
  }
  expect(mock.control.summary().pets).toBe(added.length)
  // Nothing that came later has touched what was there.
  for (const pet of added) await findAgain(pet)
  expect(sent).toBe(REQUESTS)
  console.log(
    [...kinds]
      .sort()
      .map(([kind, count]) => `${count} × ${kind}`)
      .join(', '),
  )
})
