import { describe, expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { type Api, Dropped, onEveryHost } from '../support/hosts.ts'

const statuses = async (api: Api, count: number, target = '/v1/pets') => {
  const seen: (number | 'dropped')[] = []
  for (let index = 0; index < count; index++) {
    seen.push(
      await api.ask(target).then(
        ({ status }) => status,
        (error) => (error instanceof Dropped ? 'dropped' : Promise.reject(error)),
      ),
    )
  }
  return seen
}

describe('a whole response', () => {
  onEveryHost((start) => {
    const given = {
      status: 200,
      headers: { link: '</x>; rel=next', 'content-type': 'application/vnd.store+json' },
      body: { items: [2 ** 53] },
    }

    it('is sent as it is, in place of the operation’s, which does not run', async () => {
      const api = await start({ pets: animals, faults: [{ operation: 'createPet', response: given, times: 1 }] })
      const answer = await api.create({ name: 'Pip', categoryId: 1 })
      expect([answer.status, answer.text]).toEqual([200, '{"items":[9007199254740992]}'])
      expect(answer.headers).toMatchObject({ link: '</x>; rel=next', 'content-type': 'application/vnd.store+json', 'content-length': '28' })
      expect(api.mock.control.summary().pets).toBe(animals.length)
      expect((await api.create({ name: 'Pip', categoryId: 1 })).status).toBe(201)
    })

    it('needs a key, and has no body for HEAD', async () => {
      const api = await start({ faults: [{ operation: '*', response: { status: 418, body: 'short and stout' } }] })
      const answer = await api.ask({ target: '/v1/pets' })
      expect([answer.status, answer.text]).toEqual([418, 'short and stout'])
      expect((await api.ask({ method: 'HEAD', target: '/v1/pets' })).text).toBe('')
      expect((await api.ask({ target: '/v1/pets', key: null })).status).toBe(401)
    })
  })
})

describe('faults of the world', () => {
  onEveryHost((start, host) => {
    it('answers with the status, in the Error shape, and says when to come back', async () => {
      const api = await start({ faults: [{ operation: 'createPet', status: 503, times: 2, retryAfter: 1 }] })
      const answer = await api.create({ name: 'Pip', categoryId: 1 })
      expect(answer.json).toEqual({ code: 'ServiceUnavailable', message: 'Deliberate fault: 503 Service Unavailable', status: 503 })
      expect(answer.headers['retry-after']).toBe('1')
      expect((await api.create({ name: 'Pip', categoryId: 1 })).status).toBe(503)
      expect((await api.create({ name: 'Pip', categoryId: 1 })).status).toBe(201)
      expect((await api.ask('/v1/pets')).status).toBe(200)
    })

    it.each([
      [401, 'www-authenticate', 'Bearer realm="animal-store", error="invalid_token"'],
      [405, 'allow', 'GET, HEAD, POST, OPTIONS'],
      [407, 'proxy-authenticate', 'Basic realm="proxy"'],
      // workerd sends no field about the connection, and HTTP/2 has none.
      ...(host === 'worker' || host === 'http2' ? [] : [[426, 'upgrade', 'TLS/1.2'] as const]),
    ] as const)('sends the field that HTTP requires of a %i, by a fault and by Prefer', async (status, field, value) => {
      const api = await start({ pets: animals, faults: [{ operation: 'listPets', status, retryAfter: 3 }] })
      const hit = await api.ask('/v1/pets')
      expect(hit.status).toBe(status)
      expect(hit.headers).toMatchObject({ [field]: value, 'retry-after': '3' })
      const preferred = await api.ask({ headers: { prefer: `code=${status}` } })
      expect(preferred.status).toBe(status)
      expect(preferred.headers).toMatchObject({ [field]: value, 'preference-applied': `code=${status}` })
    })

    it('strikes after as many calls as it lets pass, and as often as it may', async () => {
      const api = await start({ pets: animals, faults: [{ operation: 'listPets', status: 500, after: 2, times: 3 }] })
      expect(await statuses(api, 7)).toEqual([200, 200, 500, 500, 500, 200, 200])
    })

    it('drops the connection, and the request log shows that it was no accident', async () => {
      const api = await start({ pets: animals, faults: [{ operation: 'listPets', drop: true, after: 1, times: 1 }] })
      expect(await statuses(api, 3)).toEqual([200, 'dropped', 200])
      expect(api.mock.control.requests().map(({ status, faults }) => [status, faults])).toEqual([
        [200, []],
        [0, ['1']],
        [200, []],
      ])
    })

    it('waits before it drops', async () => {
      const api = await start({ pets: animals, faults: [{ operation: '*', drop: true, delay: 40 }] })
      const before = performance.now()
      expect(await statuses(api, 1)).toEqual(['dropped'])
      expect(performance.now() - before).toBeGreaterThanOrEqual(39)
      expect(api.mock.control.requests()[0]).toMatchObject({ status: 0, outcome: 'dropped', faults: ['1'] })
      expect(api.mock.control.requests()[0]?.durationMs).toBeGreaterThanOrEqual(39)
    })

    it.each([
      ['html', 'text/html; charset=utf-8', /^<!DOCTYPE html>\n.*502 Bad Gateway/],
      ['truncated', 'application/json', /^\{"code":"BadGateway","message":"Delibe/],
      ['not-json', 'application/json', /^upstream/],
      ['empty', 'application/json', /^$/],
    ] as const)('sends a 502 with a body that is %s', async (body, type, text) => {
      const api = await start({ pets: animals, faults: [{ operation: '*', status: 502, body, retryAfter: 1 }] })
      const answer = await api.ask('/v1/pets')
      expect(answer).toMatchObject({ status: 502, text: expect.stringMatching(text) })
      const length = String(new TextEncoder().encode(answer.text).length)
      expect(answer.headers).toMatchObject({ 'content-type': type, 'content-length': length, 'retry-after': '1' })
      const { headers, ...head } = await api.ask({ method: 'HEAD' })
      expect([head.status, head.text, headers['content-type'], headers['content-length']]).toEqual([502, '', type, length])
      expect((await api.create({ name: 'Pip', categoryId: 1 })).status).toBe(502)
      expect(api.mock.control.summary().pets).toBe(animals.length)
      expect(api.mock.control.requests()[0]).toMatchObject({ status: 502, faults: ['1'], response: { body: answer.text } })
    })

    it('runs the operation and breaks its response, with a status of success or without one', async () => {
      const pets = [{ id: 1, name: 'ë😀', categoryId: 1 }]
      const api = await start({ pets, faults: [{ operation: 'listPets', status: 203, body: 'truncated', times: 2 }] })
      const { status, text, headers } = await api.ask('/v1/pets')
      expect([status, text]).toEqual([203, '[{"id":1,"name":"ë'])
      expect(headers['content-length']).toBe('19')
      // A refusal stays one.
      expect((await api.ask('/v1/pets?limit=0')).status).toBe(400)
      api.mock.control.faults.add({ operation: 'createPet', body: 'empty' })
      expect(await api.create({ name: 'Pip', categoryId: 1 })).toMatchObject({ status: 201, text: '' })
      expect((await api.ask('/v1/pets')).json).toHaveLength(2)
      expect(await api.create({ name: 'Pip' })).toMatchObject({ status: 400, text: '' })
    })

    it('strikes one animal only, exact at int64', async () => {
      const ids = [9007199254740992n, 9007199254740993n]
      const pets = ids.map((id) => ({ id, name: 'Rex', categoryId: 1 }))
      const api = await start({ pets, faults: [{ operation: '*', petId: ids[1] as bigint, status: 500 }] })
      expect(await statuses(api, 1)).toEqual([200])
      for (const [index, id] of ids.entries()) expect(await statuses(api, 1, `/v1/pets/${id}`)).toEqual([[200, 500][index]])
      expect(api.mock.control.faults.list()).toMatchObject([{ petId: ids[1], seen: 1, applied: 1 }])
    })
  })
})

describe('a fault for one request', () => {
  onEveryHost((start) => {
    it.each([
      ['code=503', 503, 'code=503'],
      ['code="429"', 429, 'code=429'],
      ['CODE=500', 500, 'code=500'],
      ['respond-async, code=404; foo=bar', 404, 'code=404'],
      ['delay=5', 200, 'delay=5'],
      ['code=503, delay=5', 503, 'code=503, delay=5'],
    ])('grants Prefer: %s', async (prefer, status, applied) => {
      const api = await start({ pets: animals })
      const answer = await api.ask({ headers: { prefer } })
      expect(answer.status).toBe(status)
      expect(answer.headers['preference-applied']).toBe(applied)
      expect(api.mock.control.requests()[0]?.faults).toEqual(['Prefer'])
    })

    it('drops the connection for Prefer: drop', async () => {
      const api = await start({ pets: animals })
      await expect(api.ask({ headers: { prefer: 'drop' } })).rejects.toBeInstanceOf(Dropped)
      expect(api.mock.control.requests()[0]).toMatchObject({ status: 0, faults: ['Prefer'] })
      expect((await api.ask('/v1/pets')).status).toBe(200)
    })
  })
})
