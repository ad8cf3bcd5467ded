import { expect, it } from 'vitest'
import { animals } from '../../support/animals.ts'
import { onEveryHost } from '../../support/hosts.ts'

const EXPOSED =
  'Date, WWW-Authenticate, Allow, Sunset, Retry-After, Preference-Applied, X-Mock-Assumption, X-Mock-Surprise'
const origin = 'http://localhost:5173'

// On fetch and msw `Origin` is a field that only the platform may set; Node's Request lets a test
// set it, as it does here.
onEveryHost((start) => {
  it('lets pages of this machine read every answer, errors too', async () => {
    const api = await start({ pets: animals })
    const answers = [
      await api.ask({ headers: { origin } }),
      await api.ask({ headers: { origin }, key: null }),
      await api.ask({ headers: { origin }, target: '/v1/pets?limit=0' }),
      await api.ask({ headers: { origin }, target: '/v1/nothing' }),
      await api.ask({
        headers: { origin, prefer: 'code=503', 'access-control-request-method': 'GET' },
      }),
    ]
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': EXPOSED,
        vary: 'Origin',
      })
      expect(headers).not.toHaveProperty('access-control-allow-credentials')
    }
  })

  it('allows the field that chooses a sandbox in a preflight', async () => {
    const api = await start({ pets: animals, sandbox: true })
    const { headers } = await api.ask({
      method: 'OPTIONS',
      key: null,
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,x-mock-sandbox',
      },
    })
    expect(headers['access-control-allow-headers']).toBe('authorization, x-mock-sandbox')
  })

  it('lets pages read a whole response that a fault gives', async () => {
    const api = await start({
      faults: [{ operation: '*', response: { status: 418, body: 'short and stout' } }],
    })
    expect((await api.ask({ headers: { origin } })).headers).toMatchObject({
      'access-control-allow-origin': origin,
    })
  })

  it('gives pages of other origins no CORS field', async () => {
    const api = await start({ pets: animals })
    const foreign = { origin: 'https://evil.example' }
    for (const headers of [
      (await api.ask({ headers: foreign })).headers,
      (
        await api.ask({
          method: 'OPTIONS',
          headers: { ...foreign, 'access-control-request-method': 'GET' },
          key: null,
        })
      ).headers,
    ]) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      expect(headers.vary).toBe('Origin')
    }
  })

  it.each(['/pets', '/v1/nothing', '/v1/pets'])(
    'answers a preflight for %s without a key, so that a page can read what follows',
    async (target) => {
      const api = await start()
      const headers = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type,no token',
      }
      const answer = await api.ask({ method: 'OPTIONS', target, headers, key: null })
      expect(answer).toMatchObject({
        status: 204,
        text: '',
        headers: {
          'access-control-allow-origin': origin,
          'access-control-allow-methods': 'GET, HEAD, POST',
          'access-control-allow-headers': 'authorization, content-type',
          vary: 'Origin, Access-Control-Request-Headers',
        },
      })
      expect(answer.headers).not.toHaveProperty('access-control-max-age')
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
      const [row] = api.mock.control.requests({ limit: 1 })
      expect(row).toMatchObject({ method: 'OPTIONS', target, status: 204 })
      expect(row?.notes).toEqual([expect.stringMatching(/POST.*authorization, content-type/)])
      const unasked = { 'access-control-request-method': 'POST' }
      expect(
        (await api.ask({ method: 'OPTIONS', target: '/v1/nothing', headers: unasked })).status,
      ).toBe(404)
    },
  )
})
