import { expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { brief } from '../support/brief.ts'
import { onEveryHost } from '../support/hosts.ts'

onEveryHost((start, host) => {
  it('keeps every exchange, oldest first', async () => {
    const api = await start({ pets: animals, now: '2026-11-15T10:00:00Z', frozen: true })
    await api.ask('/v1/pets?limit=1')
    await api.create({ name: 'Pip', categoryId: 7 }, { key: 'a-long-secret-key' })
    await api.ask({ target: '/v1/pets', key: null })
    const entries = api.mock.control.requests()
    expect(entries.map(({ id, operation, status, key }) => ({ id, operation, status, key }))).toEqual([
      { id: 1, operation: 'listPets', status: 200, key: '…-key' },
      { id: 2, operation: 'createPet', status: 201, key: '…-key' },
      { id: 3, operation: 'listPets', status: 401, key: null },
    ])
    expect(entries[1]).toMatchObject({
      at: '2026-11-15T10:00:00.000Z',
      method: 'POST',
      target: '/v1/pets',
      assumptions: ['default-status'],
      faults: [],
      notes: [],
      request: { headers: { 'content-type': 'application/json' }, body: '{"name":"Pip","categoryId":7}' },
      response: { body: '{"id":5,"name":"Pip","categoryId":7}' },
    })
    expect(JSON.stringify(entries)).not.toContain('a-long-secret')
  })

  it('has the headers of the request, with the key redacted and cookies left out', async () => {
    const api = await start({ pets: animals })
    const headers = { accept: 'text/plain', cookie: 'session=secret', 'x-api-key': 'another-secret', 'x-trace': 'a' }
    await api.ask({ target: '/v1/pets?limit=1', key: 'a-long-secret-key', headers })
    const [entry] = api.mock.control.requests()
    const shown = entry?.request.headers ?? {}
    expect(shown.authorization).toBe('Bearer …-key')
    expect(shown).toMatchObject({ accept: 'text/plain', 'x-api-key': '…', 'x-trace': 'a' })
    expect(shown).not.toHaveProperty('cookie')
    expect(JSON.stringify(entry)).not.toMatch(/session|another-se|a-long/)
  })

  it('shows no credentials of a response, by their names, and no cookies', async () => {
    const headers = {
      'Set-Cookie': 'session=secret',
      'X-Trace': 'a',
      'X-Api-Key': 'secret',
      Authorization: 'Bearer secret',
      Location: '/?token=secret',
    }
    const api = await start({
      faults: [{ operation: '*', response: { status: 200, headers, body: '{"password":"secret","name":"Rex"}' } }],
    })
    await api.ask('/v1/pets')
    const [entry] = api.mock.control.requests()
    expect(entry?.response.headers).toMatchObject({ 'X-Trace': 'a', 'X-Api-Key': '…', Location: '/?token=…' })
    expect(JSON.stringify(entry)).not.toContain('secret')
    expect(entry?.response.body).toContain('Rex')
  })

  it('says why a request was refused, and nothing where it was not', async () => {
    const api = await start({ pets: animals, faults: [{ operation: 'getPet', status: 503 }] })
    await api.ask('/v1/pets')
    await api.create({ categoryId: '1' })
    await api.ask('/v1/Pets')
    await api.ask({ target: '/v1/pets', key: null })
    await api.ask({ method: 'HEAD', target: '/v1/pets?limit=0' })
    await api.ask('/v1/pets/1')
    await api.create({ name: 'x', categoryId: 'y'.repeat(1_000), status: 'z'.repeat(1_000) })
    const entries = api.mock.control.requests()
    expect(entries.map(({ problems }) => problems.map(brief))).toEqual([
      [],
      ['missing name', 'mismatch categoryId "1"'],
      ['near-path case near /v1/pets'],
      [expect.stringContaining('key')],
      ['mismatch limit 0'],
      ['fault'],
      [expect.stringMatching(/^mismatch categoryId "y+…$/), expect.stringMatching(/^mismatch status "z+…$/)],
    ])
    expect(entries.map(({ error }) => error !== null)).toEqual([false, true, true, true, true, true, true])
  })

  it("has the real time beside the mock's own", async () => {
    const api = await start({ pets: animals, now: '2031-01-01', frozen: true })
    const before = Date.now()
    await api.ask('/v1/pets')
    const [entry] = api.mock.control.requests()
    expect(entry?.at).toBe('2031-01-01T00:00:00.000Z')
    expect(Date.parse(entry?.realAt ?? '')).toBeGreaterThanOrEqual(before)
    expect(Date.parse(entry?.realAt ?? '')).toBeLessThanOrEqual(Date.now())
  })

  it('cuts long bodies and forgets the oldest', async () => {
    const api = await start({ pets: [], requestLog: { entries: 3 } })
    await api.create({ name: 'x'.repeat(50_000), categoryId: 1 })
    const [entry] = api.mock.control.requests()
    expect(entry?.request.body).toHaveLength(16 * 1024 + 1)
    expect(entry?.response.body).toHaveLength(16 * 1024 + 1)
    for (let index = 0; index < 5; index++) await api.ask('/v1/pets?limit=1')
    expect(api.mock.control.requests().map(({ id }) => id)).toEqual([4, 5, 6])
  })

  // There each sandbox has a request log of its own, and none knows of the others.
  it.skipIf(host === 'worker')('numbers entries once for all sandboxes, and goes on after a reset and a load', async () => {
    const api = await start({ pets: animals, sandbox: true, now: '2026-11-15T10:00:00Z', frozen: true })
    const { control } = api.mock
    const idsOf = (key: string) =>
      control
        .sandbox(key)
        .requests()
        .map(({ id }) => id)
    for (const key of ['one', 'two', 'one']) await api.ask({ key })
    expect([idsOf('one'), idsOf('two')]).toEqual([[1, 3], [2]])
    // Changes have ids of the same sequence.
    control.sandbox('one').reset()
    control.sandbox('two').load({})
    for (const key of ['two', 'one']) await api.ask({ key })
    expect([idsOf('one'), idsOf('two')]).toEqual([[7], [6]])
  })
})
