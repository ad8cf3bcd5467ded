// Surprises against other judges, against planted clients and a tolerant one, and on the worker.
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseJson } from '../../src/contract/int64-json.ts'
import type { OperationId } from '../../src/generated/contract.ts'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock, type Pet } from '../../src/index.ts'
import { kindNames, reasons, type SurpriseKind } from '../../src/surprise.ts'
import { runCli } from '../support/cli-process.ts'
import { toDirectWire } from '../support/client.ts'
import { client, planted, seedWith } from '../support/planted-clients.ts'
import { optionsFor, play, SEEDS } from '../support/play-surprises.ts'
import { RUNS_FACTOR } from '../support/property.ts'
import { startOnWorker, useWorkerd } from '../support/worker-host.ts'

describe('the worker', () => {
  useWorkerd()

  it('gives the same bytes as other hosts', async () => {
    for (const seed of SEEDS) {
      expect(await play((await startOnWorker(optionsFor(seed))).wire)).toBe(await play(toDirectWire(createMock(optionsFor(seed)))))
    }
  })
})

describe('surprise find', () => {
  it.each(planted)('names the right surprise if a client $mistake', async ({ script, label, flags = [] }) => {
    const seed = seedWith(label, flags.includes('all') ? { kinds: ['all'] } : {})
    const { code, stdout, stderr } = await runCli(['surprise', 'find', '--surprise', String(seed), ...flags, '--', ...client(script)])
    const kind = label.split('@')[0] as keyof typeof reasons
    expect([code, stdout.split('\n').slice(1, 2)], stderr).toEqual([
      1,
      [`A client may not rely on ${reasons[kind].relied} (${reasons[kind].legal}).`],
    ])
    expect(stdout).toContain(`exec --surprise ${seed} --only ${label}, with the same options`)
    expect(stderr.match(/^run \d+/gm)?.length ?? 0).toBeLessThanOrEqual(27)
  })
})

describe('a tolerant client', () => {
  /** Reads ids exactly, ignores what it does not know, decides by statuses, finds animals by id. */
  async function use(url: string): Promise<void> {
    const send = async (method: string, path: string, body?: object) => {
      const headers = { authorization: 'Bearer k', 'content-type': 'application/json' }
      const response = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
      return { status: response.status, body: parseJson(await response.text()) as unknown }
    }
    const { id } = (await send('POST', '/pets', { name: 'Rex', categoryId: 1, status: 'sold' })).body as Pet
    const listed = (await send('GET', '/pets?status=sold')).body as Pet[]
    const one = listed.find((pet) => pet.id === id)
    const isFound = one?.name === 'Rex' && ((await send('GET', `/pets/${id}`)).body as Pet).categoryId === 1
    const isRefused = (await send('POST', '/pets', {})).status === 400 && (await send('GET', '/pets/404')).status === 404
    const hasAll = ((await send('GET', '/pets')).body as Pet[]).length === 19
    if (!isFound || !isRefused || !hasAll) throw new Error('broken')
  }

  it('is broken by no surprise', async () => {
    for (let seed = 1; seed <= 50 * RUNS_FACTOR; seed++) {
      const { url, close } = await serve(createMock({ surprise: { seed } }))
      await use(url).catch(() => Promise.reject(new Error(`broken by seed ${seed}`)))
      await close()
    }
  })
})

describe('the spec', () => {
  const openapi = parse(readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8'), { schema: 'core' })
  const ajv = new Ajv2020({ strict: false, formats: { int64: true } }).addSchema(openapi, 'api')
  const schemaOf = (name: string) => ajv.compile({ $ref: `api#/components/schemas/${name}` })
  const schemas = { listPets: schemaOf('Pets'), createPet: schemaOf('Pet'), getPet: schemaOf('Pet'), error: schemaOf('Error') }

  /** Responses to all operations with these kinds of surprises, with errors among them. */
  function* surprised(count: number, kinds: readonly SurpriseKind[]) {
    const send: Record<string, string> = { authorization: 'Bearer k', 'content-type': 'application/json' }
    for (let made = 0, seed = 0; made < count; seed++) {
      const mock = createMock({ surprise: { seed, kinds }, requestLog: { entries: 1 } })
      const call = (operation: OperationId, method: string, target: string, body?: string) => {
        const header = (name: string) => (target.endsWith('anonymous') ? undefined : send[name])
        const reply = mock.answer({ method, target, header, body: body === undefined ? undefined : new TextEncoder().encode(body) })
        return { operation, method, target, ...reply }
      }
      const [{ id }] = mock.control.state().pets as [Pet]
      for (let turn = 0; turn < 20; turn++, made += 7) {
        yield call('listPets', 'GET', '/v1/pets?limit=3')
        yield call('listPets', 'GET', '/v1/pets?status=sold')
        yield call('createPet', 'POST', '/v1/pets', '{"name":"Rex","categoryId":1}')
        yield call('createPet', 'POST', '/v1/pets', '{"name":1}')
        yield call('getPet', 'GET', `/v1/pets/${id}`)
        yield call('getPet', 'GET', '/v1/pets/404')
        yield call('listPets', 'GET', '/v1/pets?anonymous')
      }
    }
  }

  it('allows every surprised response, as Ajv reads it', () => {
    const count = 5_000 * RUNS_FACTOR
    let judged = 0
    for (const { operation, status, headers, body: text } of surprised(count, kindNames)) {
      const validate = schemas[status >= 400 ? 'error' : operation]
      const body: { status: number } = JSON.parse(text)
      const isRight = validate(body) && (status < 400 || body.status === status)
      if (!isRight || Number(headers['Content-Length']) !== Buffer.byteLength(text)) {
        throw new Error(`${operation} ${status} ${headers['X-Mock-Surprise']}: ${ajv.errorsText(validate.errors)}\n${text}`)
      }
      judged++
    }
    expect(judged).toBeGreaterThanOrEqual(count)
  })
})
