// Which sandbox a request is in, if not that of its key: a prefix of its path, a header or a cookie.
import { expect, it } from 'vitest'
import { animals, rex } from '../support/animals.ts'
import { type Api, onEveryHost, RAW_HOSTS } from '../support/hosts.ts'

const field = (name: string) => ({ 'x-mock-sandbox': name })
const cookie = (name: string) => ({ cookie: `theme=dark; mock-sandbox=${name}` })
const pip = { name: 'Pip', categoryId: 1, status: 'sold' as const }

/** The sandboxes that got a row, with the statuses of their requests. */
function readLogs({ mock: { control } }: Api): Record<string, number[]> {
  const entries = control.sandboxes().map((name) => [
    name,
    control
      .sandbox(name)
      .requests()
      .map(({ status }) => status),
  ])
  return Object.fromEntries(entries)
}

onEveryHost((start, host) => {
  it('a request is in the sandbox of the prefix of its path, or of its header, whatever its key', async () => {
    const api = await start({ pets: animals, sandbox: true })
    await api.create(pip, { target: '/__sandbox/w1/v1/pets', key: 'first-token' })
    const byField = await api.ask({ headers: field('w1'), key: 'refreshed-token' })
    expect(byField.json).toEqual([...animals, { id: 5, ...pip }])
    expect((await api.ask({ target: '/__sandbox/w1/v1/pets/5' })).json).toEqual({ id: 5, ...pip })
    expect((await api.ask({ headers: field('w2') })).json).toEqual(animals)
    expect(readLogs(api)).toEqual({ w1: [201, 200, 200], w2: [200] })
    const [{ target } = {}] = api.mock.control.sandbox('w1').requests()
    expect(target).toBe('/v1/pets')
  })

  it('a prefix counts more than a header, and a header more than the key', async () => {
    const api = await start({ pets: animals, sandbox: true })
    await api.ask({ target: '/__sandbox/a/v1/pets', headers: field('b'), key: 'c' })
    await api.ask({ headers: field('b'), key: 'c' })
    await api.ask({ key: 'c' })
    expect(readLogs(api)).toEqual({ a: [200], b: [200], c: [200] })
  })

  it('the key is checked in the chosen sandbox, and only a valid one makes it', async () => {
    const api = await start({ pets: animals, sandbox: true })
    expect((await api.ask({ headers: field('w1'), key: null })).status).toBe(401)
    expect((await api.ask({ headers: field('w1'), key: 'invalid' })).status).toBe(401)
    expect(api.mock.control.sandboxes()).toEqual([])
    api.mock.control.sandbox('w1').load({ pets: [rex], apiKeys: ['token-2'] })
    expect((await api.ask({ headers: field('w1'), key: 'token-1' })).status).toBe(401)
    // The name of a sandbox is not a key.
    expect((await api.ask({ headers: field('w1'), key: 'w1' })).status).toBe(401)
    expect((await api.ask({ headers: field('w1'), key: 'token-2' })).json).toEqual([rex])
    expect((await api.ask({ key: 'token-1' })).json).toEqual(animals)
  })

  it('a request with an invalid key is logged in the sandbox that it chooses, if that exists', async () => {
    const api = await start({ pets: animals, sandbox: true })
    api.mock.control.sandbox('w1').assume({ 'error-codes': 'upper' })
    const refused = await api.ask({ headers: field('w1'), key: 'invalid' })
    expect(refused.json).toMatchObject({ code: 'UNAUTHORIZED', status: 401 })
    expect(readLogs(api)).toEqual({ w1: [401] })
  })

  it('a request without a key is logged outside of all sandboxes', async () => {
    const api = await start({ pets: animals, sandbox: true })
    api.mock.control.sandbox('w1').load({ pets: animals })
    const target = '/__sandbox/w1/v1/pets'
    expect((await api.ask({ target, key: null })).status).toBe(401)
    const asked = { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' }
    await api.ask({ target, method: 'OPTIONS', headers: asked, key: null })
    expect(readLogs(api)).toEqual({ w1: [] })
    expect(api.mock.control.requests().map(({ status }) => status)).toEqual([401, 204])
  })

  it('a name that no sandbox can have is a 400 that says what a name may be', async () => {
    const api = await start({ pets: animals, sandbox: true })
    const long = 'x'.repeat(4_097)
    const answers = [
      await api.ask({ headers: field('w 1') }),
      await api.ask({ headers: field(long) }),
      await api.ask({ headers: field('w1, w2') }),
      await api.ask('/__sandbox/w%201/v1/pets'),
      await api.ask('/__sandbox/*/v1/pets'),
      await api.ask('/__sandbox/w%zz/v1/pets'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400])
    expect(answers[0]?.json).toEqual({
      code: 'BadRequest',
      message:
        'X-Mock-Sandbox: expected a name of 1 to 4096 of a bearer token\'s characters, got "w 1"',
      status: 400,
    })
    expect(api.mock.control.sandboxes()).toEqual([])
  })

  it('without sandboxes, a header chooses nothing, and a prefix is a 404 that says why', async () => {
    const api = await start({ pets: animals })
    expect((await api.ask({ headers: field('w 1') })).json).toEqual(animals)
    if (host === 'msw') return
    expect((await api.ask('/__sandbox/w1/v1/pets')).json).toEqual({
      code: 'NotFound',
      message: 'Sandboxes are off; start the mock with --sandbox, or sandbox: true',
      status: 404,
    })
  })
})

onEveryHost((start) => {
  it('a request is in the sandbox of its cookie, unless a header says otherwise', async () => {
    const api = await start({ pets: animals, sandbox: true })
    await api.ask({ headers: cookie('w1'), key: 'any-key' })
    await api.ask({ headers: { ...cookie('w1'), ...field('w2') } })
    expect(readLogs(api)).toEqual({ w1: [200], w2: [200] })
    const { json } = await api.ask({ headers: cookie('w"1') })
    expect(json).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^The cookie mock-sandbox: /),
    })
  })

  it('a prefix is found in a target of absolute form, and its name may have an encoded slash', async () => {
    const api = await start({ pets: animals, sandbox: true })
    await api.ask('http://localhost/__sandbox/team%2Fw1/v1/pets?limit=1')
    expect(readLogs(api)).toEqual({ 'team/w1': [200] })
    const rows = api.mock.control.sandbox('team/w1').requests()
    expect(rows[0]?.target).toBe('http://localhost/v1/pets?limit=1')
    expect((await api.ask('/__sandbox/w1')).status).toBe(404)
  })
}, RAW_HOSTS)

/** Where the control is in this process: that of the worker in these specs reads JSON only. */
onEveryHost(
  (start) => {
    it('a key that names a sandbox is not in its recording, however it was sent', async () => {
      const api = await start({ pets: animals, sandbox: true })
      const key = 'a-key-that-names-a-sandbox'
      await api.ask({ key })
      await api.ask({ key, headers: field(key) })
      await api.ask({ key, target: `/__sandbox/${key}/v1/pets` })
      const own = api.mock.control.sandbox(key)
      expect(own.requests()).toHaveLength(3)
      expect(own.recording()).not.toContain(key)
    })
  },
  ['direct', 'fetch', 'node', 'http2', 'msw'],
)
