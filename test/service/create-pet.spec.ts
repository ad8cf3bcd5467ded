import { expect, it } from 'vitest'
import { animals } from '../support/animals.ts'
import { onEveryHost } from '../support/hosts.ts'

const NAME = 'name: expected a string, got '
const CATEGORY = 'categoryId: expected a 64-bit integer, got '
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const bytes = (...values: number[]) => new Uint8Array(values)
const utf8 = (text: string) => new TextEncoder().encode(text)

/** Bodies that are refused, each with the whole message. */
const refused: [title: string, body: string | Uint8Array, message: string][] = [
  ['null', 'null', 'body: expected an object, got null'],
  ['an array', '[]', 'body: expected an object, got a list of 0'],
  ['a string', '"Rex"', 'body: expected an object, got "Rex"'],
  ['nothing but space', '  ', 'The body is not valid JSON: unexpected end at line 1, column 3'],
  ['half an object', '{"name":"Rex",', 'The body is not valid JSON: unexpected end at line 1, column 15'],
  ['a trailing comma', '{"name":"Rex","categoryId":1,}', 'The body is not valid JSON: unexpected "}" at line 1, column 30'],
  ['something after the object', '{}\n {}', 'The body is not valid JSON: unexpected "{" at line 2, column 2'],
  ['single quotes', "{'name':'Rex'}", 'The body is not valid JSON: unexpected "\'" at line 1, column 2'],
  ['a number with a leading zero', '{"name":"Rex","categoryId":01}', 'The body is not valid JSON: unexpected "1" at line 1, column 29'],
  [
    'an unescaped line break',
    '{"name":"R\nx","categoryId":1}',
    'The body is not valid JSON: unescaped control character at line 1, column 11',
  ],
  ['half a surrogate pair', '{"name":"\\ud800","categoryId":1}', 'The body is not valid JSON: lone surrogate at line 1, column 9'],
  ['a byte order mark', '\ufeff{}', 'The body is not valid JSON: a byte order mark is not allowed at line 1, column 1'],
  ['an escape without its digits', '{"name":"\\u12zz"}', 'The body is not valid JSON: invalid \\u escape at line 1, column 12'],
  ['an escape that ends too soon', '{"name":"\\u12', 'The body is not valid JSON: invalid \\u escape at line 1, column 12'],
  ['an escape that JSON does not have', '{"name":"\\x41"}', 'The body is not valid JSON: unexpected "x" at line 1, column 11'],
  ['a vertical tab for space', '{\v}', 'The body is not valid JSON: unexpected "\\u000b" at line 1, column 2'],
  ['bytes that are not UTF-8', bytes(0x22, 0xff, 0x22), 'The body is not valid UTF-8'],
  [
    'too deep nesting',
    `{"name":"Rex","categoryId":1,"more":${deep(65)}}`,
    'The body is not valid JSON: nesting deeper than 64 levels at line 1, column 100',
  ],
  ['a name without a category', '{"name":1,"categoryId":[]}', `${NAME}1; ${CATEGORY}a list of 0`],
  [
    'wrong types',
    '{"name":1,"categoryId":"1","status":null}',
    `${NAME}1; ${CATEGORY}"1"; status: expected available, pending or sold, got null`,
  ],
  ['an unknown status', '{"name":"Rex","categoryId":1,"status":"gone"}', 'status: expected available, pending or sold, got "gone"'],
  ['a fraction', '{"name":"Rex","categoryId":1.5}', `${CATEGORY}1.5`],
  ['a boolean', '{"name":"Rex","categoryId":true}', `${CATEGORY}true`],
  ['a number too large to hold', '{"name":"Rex","categoryId":1e400}', `${CATEGORY}a number out of range`],
  ['2^63', '{"name":"Rex","categoryId":9223372036854775808}', `${CATEGORY}9223372036854775808`],
  ['-2^63-1', '{"name":"Rex","categoryId":-9223372036854775809}', `${CATEGORY}-9223372036854775809`],
  ['a fraction too fine for a double', '{"name":"Rex","categoryId":1.00000000000000000000001}', `${CATEGORY}a number out of range`],
]

/** Spellings of an int64, with the digits that come back. */
const integers: [spelling: string, digits: string][] = [
  ['1', '1'],
  ['1.0', '1'],
  ['1e2', '100'],
  ['1E+2', '100'],
  ['100e-2', '1'],
  ['-0', '0'],
  ['-0.0e5', '0'],
  ['-1', '-1'],
  ['9007199254740993', '9007199254740993'],
  ['9007199254740993.0', '9007199254740993'],
  ['9223372036854775807', '9223372036854775807'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['9.223372036854775807e18', '9223372036854775807'],
]

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

  it.each(refused)('refuses %s and adds nothing', async (_, body, message) => {
    const api = await start({ pets: animals })
    const answer = await api.create('', { body })
    expect(answer.json).toEqual({ code: 'BadRequest', message, status: 400 })
    expect(answer.headers).not.toHaveProperty('x-mock-assumption')
    expect((await api.ask('/v1/pets')).json).toEqual(animals)
    expect((await api.create({ name: 'Pip', categoryId: 1 })).json).toMatchObject({ id: 5 })
  })

  it('refuses an empty body', async () => {
    const api = await start()
    expect((await api.ask({ method: 'POST', headers: { 'content-type': 'application/json' } })).json).toEqual({
      code: 'BadRequest',
      message: 'A request body is required',
      status: 400,
    })
  })

  it.each(integers)('takes a categoryId of %s as %s', async (spelling, digits) => {
    const api = await start({ pets: [] })
    const answer = await api.create(`{"name":"Rex","categoryId":${spelling}}`)
    expect(answer.text).toBe(`{"id":1,"name":"Rex","categoryId":${digits}}`)
    expect((await api.ask('/v1/pets')).text).toBe(`[${answer.text}]`)
  })

  it.each(names)('keeps the name %j exactly', async (name) => {
    const api = await start({ pets: [] })
    const answer = await api.create({ name, categoryId: 1 })
    expect(answer.json).toEqual({ id: 1, name, categoryId: 1 })
    expect((await api.ask('/v1/pets/1')).json).toEqual({ id: 1, name, categoryId: 1 })
  })

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=iso-8859-1;x=y',
    ' application/json ;x',
  ])('takes a body of type %s as UTF-8 JSON', async (contentType) => {
    const api = await start({ pets: [] })
    expect((await api.create({ name: 'Zoë', categoryId: 1 }, { headers: { 'content-type': contentType } })).json).toMatchObject({
      name: 'Zoë',
    })
  })

  it.each([
    'text/plain',
    'application/vnd.api+json',
    'application/jsonx',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    'json',
  ])('refuses a body of type %s', async (contentType) => {
    const api = await start({ pets: [] })
    const send = () => api.create({ name: 'Rex', categoryId: 1 }, { headers: { 'content-type': contentType } })
    expect((await send()).status).toBe(400)
    api.mock.control.assume({ 'media-type': 'unsupported' })
    const answer = await send()
    expect(answer.status).toBe(415)
    expect(answer.headers['x-mock-assumption']).toBe('media-type')
    expect((await api.ask('/v1/pets')).text).toBe('[]')
  })

  it('names a hundred problems of a body and counts the others', async () => {
    const api = await start({ pets: [], assume: { 'unknown-fields': 'reject' } })
    const { status, json } = await api.create(Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field${index}`, index])))
    const { message } = json as { message: string }
    expect(status).toBe(400)
    expect(message.length).toBeLessThan(20_000)
    const kinds = api.mock.control.requests()[0]?.problems.map(({ kind }) => kind)
    expect(kinds).toEqual(['missing', 'missing', ...Array<string>(98).fill('unknown-field'), 'more'])
  })

  it('refuses an encoded body', async () => {
    const api = await start({ pets: [] })
    const answer = await api.create({ name: 'Rex', categoryId: 1 }, { headers: { 'content-encoding': 'gzip' } })
    expect(answer.status).toBe(415)
    expect(answer.headers['accept-encoding']).toBe('identity')
  })

  it('takes an empty Content-Encoding for none', async () => {
    const api = await start({ pets: [] })
    expect((await api.create({ name: 'Rex', categoryId: 1 }, { headers: { 'content-encoding': '' } })).status).toBe(201)
  })

  it('takes every kind of space that JSON has', async () => {
    const api = await start({ pets: [] })
    const answer = await api.create('\r\n\t {\r"name"\t:\n"Rex" ,\r\n"categoryId"\r:\r1\r}\r\n')
    expect(answer.text).toBe('{"id":1,"name":"Rex","categoryId":1}')
  })

  it('drops fields that are not part of the interface, an id among them, and says so in the request log', async () => {
    const api = await start({ pets: animals })
    const answer = await api.create('{"id":99,"name":"Pip","categoryId":1,"__proto__":{"status":"sold"},"constructor":1}')
    expect(answer.text).toBe('{"id":5,"name":"Pip","categoryId":1}')
    const [entry] = api.mock.control.requests()
    expect(entry?.assumptions).toEqual(['unknown-fields', 'default-status'])
    expect(entry?.notes).toEqual(['Dropped, not part of the API: "id", "__proto__", "constructor"'])
  })

  it('refuses such fields with unknown-fields=reject', async () => {
    const api = await start({ pets: [], assume: { 'unknown-fields': 'reject' } })
    const answer = await api.create({ name: 'Pip', categoryId: 1, breed: 'Beagle' })
    expect(answer.json).toEqual({
      code: 'BadRequest',
      message: 'breed: unknown field; expected name, categoryId or status',
      status: 400,
    })
    expect((await api.ask('/v1/pets')).text).toBe('[]')
  })

  it('lets the last of duplicate keys count, and says so in the request log', async () => {
    const api = await start({ pets: [] })
    expect((await api.create('{"name":"One","name":"Two","categoryId":1}')).json).toMatchObject({ name: 'Two' })
    expect(api.mock.control.requests()[0]?.notes).toEqual(['"name" was sent more than once; the last value was used'])
  })

  it.each([
    ['absent', undefined],
    ['available', 'available'],
    ['pending', 'pending'],
    ['sold', 'sold'],
  ] as const)('gives an animal without a status: %s', async (choice, status) => {
    const api = await start({ pets: [], assume: { 'default-status': choice } })
    const { json } = await api.create({ name: 'Pip', categoryId: 1 })
    expect(json).toEqual({ id: 1, name: 'Pip', categoryId: 1, ...(status ? { status } : {}) })
    expect((await api.ask(`/v1/pets?status=${status ?? 'available'}`)).json).toEqual(status ? [json] : [])
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

  it('gives each of many concurrent creations an id of its own', async () => {
    const api = await start({ pets: animals })
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => api.create({ name: `Pip ${index}`, categoryId: 1 })))
    const ids = answers.map(({ json }) => (json as { id: number }).id).sort((left, right) => left - right)
    expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => index + 5))
  })

  it('counts ids on exactly beyond 2^53, and stops after the last int64', async () => {
    const api = await start({ scenario: { nextId: 9223372036854775806n } })
    expect((await api.create({ name: 'A', categoryId: 1 })).text).toBe('{"id":9223372036854775806,"name":"A","categoryId":1}')
    expect((await api.create({ name: 'B', categoryId: 1 })).text).toBe('{"id":9223372036854775807,"name":"B","categoryId":1}')
    expect((await api.create({ name: 'C', categoryId: 1 })).status).toBe(507)
    expect((await api.ask('/v1/pets/9223372036854775807')).json).toMatchObject({ id: 9223372036854775807n, name: 'B' })
  })
})
