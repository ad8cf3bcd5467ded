import { expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { onEveryHost } from '../support/hosts.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

const names = ['', '\u0000', 'Zoë 🦊', '‮שלום', '<script>alert(1)</script>', '"\\/\b\f\n\r\t', 'x'.repeat(100_000), '__proto__', 'null']

onEveryHost((start, host) => {
  it('answers with the animal under the next id, and nothing else', async () => {
    const api = await start({ pets: animals })
    const answer = await api.create({ status: 'pending', categoryId: 7, name: 'Pip' })
    expect(answer.status).toBe(201)
    expect(answer.text).toBe('{"id":5,"name":"Pip","categoryId":7,"status":"pending"}')
    expect(answer.headers).not.toHaveProperty('location')
    expect((await api.ask('/v1/pets/5')).text).toBe(answer.text)
  })

  it.each(names)('keeps the name %j exactly', async (name) => {
    const api = await start({ pets: [] })
    const answer = await api.create({ name, categoryId: 1 })
    expect(answer.json).toEqual({ id: 1, name, categoryId: 1 })
    expect((await api.ask('/v1/pets/1')).json).toEqual({ id: 1, name, categoryId: 1 })
  })

  it('refuses a body over 1 MiB and closes the connection', async () => {
    const api = await start({ pets: [] })
    const fits = `{"name":"${'x'.repeat(2 ** 20 - 26)}","categoryId":1}`
    expect(utf8(fits)).toHaveLength(2 ** 20)
    expect((await api.create(fits)).status).toBe(201)
    const answer = await api.create(`${fits} `)
    expect(answer.status).toBe(413)
    // HTTP/2 has no fields about the connection.
    expect(answer.headers.connection).toBe(host === 'http2' ? undefined : 'close')
    expect((await api.ask('/v1/pets')).json).toHaveLength(1)
  })

  it('refuses a body that is not UTF-8', async () => {
    const api = await start({ pets: [] })
    const body = Uint8Array.of(...utf8('{"name":"'), 0xff, ...utf8('","categoryId":1}'))
    expect((await api.create({}, { body })).json).toEqual({ code: 'BadRequest', message: 'The body is not valid UTF-8', status: 400 })
  })

  it('counts ids on exactly beyond 2^53, and stops after the last int64', async () => {
    const api = await start({ scenario: { nextId: 9223372036854775806n } })
    expect((await api.create({ name: 'A', categoryId: 1 })).text).toBe('{"id":9223372036854775806,"name":"A","categoryId":1}')
    expect((await api.create({ name: 'B', categoryId: 1 })).text).toBe('{"id":9223372036854775807,"name":"B","categoryId":1}')
    expect((await api.create({ name: 'C', categoryId: 1 })).status).toBe(507)
    expect((await api.ask('/v1/pets/9223372036854775807')).json).toMatchObject({ id: 9223372036854775807n, name: 'B' })
  })
})
