import { expect, it } from 'vitest'
import { animals, rex } from '../support/animals.ts'
import { onEveryHost, RAW_HOSTS } from '../support/hosts.ts'

const ALLOW = { '/v1/pets': 'GET, HEAD, POST, OPTIONS', '/v1/pets/1': 'GET, HEAD, OPTIONS' }

onEveryHost((start, host) => {
  // workerd refuses a method that it does not know before the worker sees it.
  it.each(['PUT', 'PATCH', 'DELETE', ...(host === 'worker' ? [] : ['PROPFIND'])])(
    'refuses the method %s and names the ones there are',
    async (method) => {
      const api = await start({ pets: animals })
      for (const [target, allow] of Object.entries(ALLOW)) {
        const answer = await api.ask({ method, target, key: null })
        expect(answer.status).toBe(405)
        expect(answer.headers.allow).toBe(allow)
      }
    },
  )

  it.each(Object.entries(ALLOW))(
    'answers OPTIONS %s with the methods, without a key',
    async (target, allow) => {
      const api = await start()
      const answer = await api.ask({ method: 'OPTIONS', target, key: null })
      expect(answer).toMatchObject({ status: 204, text: '', headers: { allow } })
      const { date, connection: _, 'keep-alive': __, ...fields } = answer.headers
      expect(new Date(date ?? '').toUTCString()).toBe(date)
      expect(fields).toEqual({
        allow,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        vary: 'Origin',
      })
      expect(answer.headers).not.toHaveProperty('content-length')
      expect(answer.headers).not.toHaveProperty('content-type')
    },
  )

  it.each(['/v1/pets?limit=2', '/v1/pets/1', '/v1/pets/99', '/v1/pets?limit=0', '/v1/nothing'])(
    'answers HEAD %s as GET, without the body',
    async (target) => {
      const api = await start({ pets: animals, now: '2026-11-15', frozen: true })
      const get = await api.ask(target)
      const head = await api.ask({ method: 'HEAD', target })
      expect(head).toEqual({ ...get, text: '', json: undefined })
      expect(Number(head.headers['content-length'])).toBe(new TextEncoder().encode(get.text).length)
    },
  )

  it.each(['/v1/pets/%zz', '/v1/pets?x=%C3%28'])(
    'refuses the malformed target %s, and lives',
    async (target) => {
      const api = await start({ pets: animals })
      expect((await api.ask(target)).json).toMatchObject({ code: 'BadRequest', status: 400 })
      expect((await api.ask('/v1/pets')).status).toBe(200)
    },
  )

  it('refuses a target over 8 KiB', async () => {
    const api = await start({ pets: animals })
    expect((await api.ask(`/v1/pets?x=${'y'.repeat(8 * 1024)}`)).status).toBe(414)
    expect((await api.ask(`/v1/pets?x=${'y'.repeat(8 * 1024 - 11)}`)).status).toBe(200)
  })
})

// Targets that only a raw client can send.
onEveryHost((start) => {
  it.each([
    '/v1/x/../pets',
    '/v1/./pets',
    '//host/v1/pets',
    '/v1\\pets',
    '/v1/pets/1/..',
    '/v1/pe%2Fts',
    'http://[::1]',
  ])('does not fold %s', async (target) => {
    const api = await start({ pets: animals })
    expect(await api.ask(target)).toMatchObject({
      status: 404,
      json: { message: expect.stringMatching(/\//) },
    })
  })

  it('refuses a fragment', async () => {
    const api = await start()
    expect((await api.ask('/v1/pets#top')).status).toBe(400)
  })

  it.each([
    'http://127.0.0.1/v1/pets/1',
    'HTTP://other.localhost:81/v1/pets/1',
    'https://127.0.0.1/v1/pets/1?y',
    'http://u:p@[::1]:80/v1/pets/1',
  ])('routes %s on its path', async (target) => {
    const api = await start({ pets: animals })
    expect((await api.ask(target)).json).toEqual(rex)
  })
}, RAW_HOSTS)
