const { mockStore } = require('animal-store-mock/jest')

const part = require('node:path').basename(__filename)
mockStore({ baseUrl: 'https://api.example.com/v1', intercept: 'fetch', coverage: 'file' })
const headers = { authorization: 'Bearer any-key', 'content-type': 'application/json' }

test(`${part} adds an animal`, async () => {
  await fetch('https://api.example.com/v1/pets', { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' })
})

test(`${part} lists animals`, async () => {
  await fetch('https://api.example.com/v1/pets', { headers })
})
