// The classes of the page are those of jsdom, while `fetch` and Request are Node's.
import { createMock } from 'animal-store-mock'
import { mockStore } from 'animal-store-mock/vitest'
import { describe, expect, it } from 'vitest'

const url = 'https://api.example.com/v1/pets'
const pip = '{"name":"Pip","categoryId":1}'
const authorization = 'Bearer any-key'
const headers = { authorization, 'content-type': 'application/json' }
const post = { method: 'POST', headers, body: pip }

const mock = createMock({ pets: [] })
const store = mockStore({ baseUrl: 'https://api.example.com/v1', intercept: 'fetch' })

describe.each([
  ['the fetch of a mock', mock.control, (init) => mock.fetch(url, init)],
  ['a store', store.control, (init) => fetch(url, init)],
])('%s', (_, control, ask) => {
  const send = async (init) => {
    await ask(init)
    const { method, status, request } = control.requests().at(-1)
    return { method, status, type: request.headers['content-type'], body: request.body }
  }

  it.each([
    ['a signal', () => ({ ...post, signal: new AbortController().signal })],
    ['header fields', () => ({ ...post, headers: new Headers(headers) })],
    ['a blob', () => ({ ...post, body: new Blob([pip]) })],
    ['bytes', () => ({ ...post, body: new TextEncoder().encode(pip) })],
  ])('loses nothing of a request with %s', async (_, init) => {
    const sent = { method: 'POST', status: 201, type: 'application/json', body: pip }
    expect(await send(init())).toEqual(sent)
  })

  it('loses nothing of a form with a file', async () => {
    const body = new FormData()
    body.append('name', 'Pip')
    body.append('photo', new File(['a photo'], 'pip.txt', { type: 'text/plain' }))
    const sent = await send({ method: 'POST', headers: { authorization }, body })
    expect(sent.type).toContain('multipart/form-data')
    expect(sent.body).toMatch(/Pip[\s\S]*pip\.txt[\s\S]*a photo/)
  })

  it('loses nothing of parameters', async () => {
    const body = new URLSearchParams('a=1&b=2')
    const sent = await send({ method: 'POST', headers: { authorization }, body })
    expect(sent).toMatchObject({ body: 'a=1&b=2', type: expect.stringContaining('urlencoded') })
  })
})
