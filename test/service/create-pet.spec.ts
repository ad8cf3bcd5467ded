import { expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { onEveryHost } from '../support/hosts.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

const names = [
  '',
  '\u0000',
  'Zoë 🦊',
  '‮שלום',
  '<script>alert(1)</script>',
  '"\\/\b\f\n\r\t',
  'x'.repeat(100_000),
  '__proto__',
  'null',
]

onEveryHost((start, host) => {
  it('answers with the animal under the next id, and nothing else', async () => {
    const api = await start({ pets: animals })
    const answer = await api.create({ status: 'pending', categoryId: 7, name: 'Pip' })
    expect(answer.status).toBe(201)
    expect(answer.text).toBe('{"id":5,"name":"Pip","categoryId":7,"status":"pending"}')
    expect(answer.headers).not.toHaveProperty('location')
    expect((await api.ask('/v1/pets/5')).text).toBe(answer.text)
  })

  it('keeps every name exactly', async () => {
    const api = await start({ pets: [] })
    for (const name of names)
      expect((await api.create({ name, categoryId: 1 })).json).toMatchObject({ name })
    expect((await api.ask('/v1/pets')).json).toEqual(
      names.map((name, index) => ({ id: index + 1, name, categoryId: 1 })),
    )
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
    expect((await api.create({}, { body })).json).toEqual({
      code: 'BadRequest',
      message: 'The body is not valid UTF-8',
      status: 400,
    })
  })
})
