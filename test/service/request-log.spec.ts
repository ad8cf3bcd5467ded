import { expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { onEveryHost } from '../support/hosts.ts'

onEveryHost((start) => {
  it('keeps every exchange, oldest first', async () => {
    const api = await start({ pets: animals, now: '2026-11-15T10:00:00Z', frozen: true })
    await api.ask('/v1/pets?limit=1')
    await api.create({ name: 'Pip', categoryId: 7 }, { key: 'a-long-secret-key' })
    await api.ask({ target: '/v1/pets', key: null })
    const rows = api.mock.control.requests()
    expect(rows.map(({ id, operation, status, key }) => ({ id, operation, status, key }))).toEqual([
      { id: 1, operation: 'listPets', status: 200, key: '…-key' },
      { id: 2, operation: 'createPet', status: 201, key: '…-key' },
      { id: 3, operation: 'listPets', status: 401, key: null },
    ])
    expect(rows[1]).toMatchObject({
      at: '2026-11-15T10:00:00.000Z',
      method: 'POST',
      target: '/v1/pets',
      assumptions: ['default-status'],
      faults: [],
      notes: [],
      request: {
        headers: { 'content-type': 'application/json' },
        body: '{"name":"Pip","categoryId":7}',
      },
      response: { body: '{"id":5,"name":"Pip","categoryId":7}' },
    })
    expect(JSON.stringify(rows)).not.toContain('a-long-secret')
  })

  it('has the headers of the request, with the key redacted and cookies left out', async () => {
    const api = await start({ pets: animals })
    const headers = {
      accept: 'text/plain',
      cookie: 'session=secret',
      'x-api-key': 'another-secret',
      'x-trace': 'a',
    }
    await api.ask({ target: '/v1/pets?limit=1', key: 'a-long-secret-key', headers })
    const [row] = api.mock.control.requests()
    const shown = row?.request.headers ?? {}
    expect(shown.authorization).toBe('Bearer …-key')
    expect(shown).toMatchObject({ accept: 'text/plain', 'x-api-key': '…', 'x-trace': 'a' })
    expect(shown).not.toHaveProperty('cookie')
    expect(JSON.stringify(row)).not.toMatch(/session|another-se|a-long/)
  })
})
