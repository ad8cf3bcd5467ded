// What a host has to carry of a fault; test/transcripts has faults in all their kinds.
import { describe, expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { Dropped, onEveryHost } from '../support/hosts.ts'

describe('a whole response', () => {
  onEveryHost((start) => {
    const given = {
      status: 200,
      headers: { link: '</x>; rel=next', 'content-type': 'application/vnd.store+json' },
      body: { items: [2 ** 53] },
    }

    it('is sent as it is, in place of the operation’s, which does not run', async () => {
      const api = await start({
        pets: animals,
        faults: [{ operation: 'createPet', response: given, times: 1 }],
      })
      const answer = await api.create({ name: 'Pip', categoryId: 1 })
      expect([answer.status, answer.text]).toEqual([200, '{"items":[9007199254740992]}'])
      expect(answer.headers).toMatchObject({
        link: '</x>; rel=next',
        'content-type': 'application/vnd.store+json',
        'content-length': '28',
      })
      expect(api.mock.control.summary().pets).toBe(animals.length)
      expect((await api.create({ name: 'Pip', categoryId: 1 })).status).toBe(201)
    })

    it.each([204, 205, 304])(
      'with %i has no body, and no field that describes one',
      async (status) => {
        const api = await start({ faults: [{ operation: '*', response: { status } }] })
        const { text, headers, ...answer } = await api.ask('/v1/pets')
        expect([answer.status, text, headers['content-type']]).toEqual([status, '', undefined])
        // The length of a 304 would be that of the 200 (RFC 9110 §8.6). A host may frame a 205 with
        // 0.
        if (status !== 205) expect(headers).not.toHaveProperty('content-length')
        expect((await api.ask({ target: '/v1/pets', key: null })).status).toBe(401)
      },
    )
  })
})

describe('a fault', () => {
  onEveryHost((start, host) => {
    it('has the status and the fields that HTTP requires of it', async () => {
      const api = await start({ faults: [{ operation: '*', status: 426, retryAfter: 3 }] })
      // workerd sends no field about the connection, and HTTP/2 has none.
      const upgrade = host === 'worker' || host === 'http2' ? {} : { upgrade: 'TLS/1.2' }
      expect(await api.ask('/v1/pets')).toMatchObject({
        status: 426,
        headers: { 'retry-after': '3', ...upgrade },
      })
    })

    it.each([0, 40])(
      'drops the connection after %i ms, and the request log shows that it was no accident',
      async (delay) => {
        const api = await start({
          pets: animals,
          faults: [{ operation: '*', drop: true, delay, times: 1 }],
        })
        const before = performance.now()
        await expect(api.ask('/v1/pets')).rejects.toBeInstanceOf(Dropped)
        expect(performance.now() - before).toBeGreaterThanOrEqual(delay - 1)
        const [row] = api.mock.control.requests()
        expect(row).toMatchObject({ status: 0, outcome: 'dropped', faults: ['1'] })
        expect(row?.durationMs).toBeGreaterThanOrEqual(delay - 1)
        expect((await api.ask('/v1/pets')).status).toBe(200)
      },
    )

    it('loses the response of an operation that ran, and the request log says both', async () => {
      const faults = [{ operation: 'createPet', lost: true } as const]
      const api = await start({ pets: animals, faults })
      const { control } = api.mock
      await expect(api.create({ name: 'Pip', categoryId: 1 })).rejects.toBeInstanceOf(Dropped)
      expect(control.summary().pets).toBe(animals.length + 1)
      await expect(api.create({ categoryId: 1 })).rejects.toBeInstanceOf(Dropped)
      expect(control.summary().pets).toBe(animals.length + 1)
      expect(control.requests()).toMatchObject([
        {
          status: 0,
          outcome: 'dropped',
          struck: ['createPet runs, and its response is lost'],
          notes: ['The operation ran; its response was lost'],
        },
        {
          status: 0,
          outcome: 'dropped',
          error: 'name is required',
          notes: ['The 400 was lost; nothing was changed'],
        },
      ])
      expect(control.coverage().faults).toEqual({ createPet: { lost: 2 } })
    })

    it('resets the connection before the operation, or says why it only closed it', async () => {
      const faults = [{ operation: 'createPet', rst: true } as const]
      const api = await start({ pets: animals, faults })
      const { control } = api.mock
      await expect(api.create({ name: 'Pip', categoryId: 1 })).rejects.toBeInstanceOf(Dropped)
      expect(control.summary().pets).toBe(animals.length)
      const canReset = ['direct', 'node', 'http2'].includes(host)
      const notes = canReset ? [] : ['The connection was closed: it cannot be reset here']
      expect(control.requests()).toMatchObject([{ status: 0, outcome: 'dropped', notes }])
      expect(control.coverage().faults).toEqual({ createPet: { rst: 1 } })
    })

    it('cuts the body of an operation that ran', async () => {
      const faults = [{ operation: 'createPet', body: 'cut' } as const]
      const api = await start({ pets: animals, faults })
      const { control } = api.mock
      await expect(api.create({ name: 'Pip', categoryId: 1 })).rejects.toBeInstanceOf(Dropped)
      const whole = JSON.stringify(control.state().pets?.at(-1))
      const note = 'The connection was closed before the response: it cannot be cut here'
      expect(whole).toContain('Pip')
      expect(control.requests()).toMatchObject([
        {
          status: 201,
          outcome: 'sent',
          notes: host === 'worker' ? [note] : [],
          response: {
            headers: { 'Content-Length': String(whole.length) },
            body: whole.slice(0, whole.length / 2),
          },
        },
      ])
      // It has no body that could be cut.
      const head = await api.ask({ method: 'HEAD', target: '/v1/pets' })
      expect(head.status).toBe(200)
    })

    it('sends a body slowly, or says that it delayed the whole', async () => {
      const api = await start({ pets: animals })
      const { control } = api.mock
      const { text } = await api.ask('/v1/pets')
      control.faults.add({ operation: '*', slow: 5 * text.length, delay: 20 })
      const before = performance.now()
      expect((await api.ask('/v1/pets')).text).toBe(text)
      expect(performance.now() - before).toBeGreaterThanOrEqual(219)
      const isSlow = ['direct', 'node', 'http2'].includes(host)
      const row = control.requests().at(-1)
      const note = 'The response was delayed as a whole: it cannot be sent slowly here'
      expect(row).toMatchObject({ status: 200, outcome: 'sent', notes: isSlow ? [] : [note] })
      expect(row?.durationMs).toBeGreaterThanOrEqual(219)
      expect(control.coverage().faults).toEqual({ listPets: { delay: 1 } })
    })

    it.each([
      ['html', 'text/html; charset=utf-8'],
      ['empty', 'application/json'],
    ] as const)('sends a body that is %s, whose length HEAD has too', async (body, type) => {
      const api = await start({ faults: [{ operation: '*', status: 502, body }] })
      const { status, text, headers } = await api.ask('/v1/pets')
      const length = String(new TextEncoder().encode(text).length)
      expect([status, text === '', headers['content-type'], headers['content-length']]).toEqual([
        502,
        body === 'empty',
        type,
        length,
      ])
      const head = await api.ask({ method: 'HEAD' })
      expect([head.status, head.text, head.headers['content-length']]).toEqual([502, '', length])
      expect(api.mock.control.requests()[0]?.response.body).toBe(text)
    })
  })
})
