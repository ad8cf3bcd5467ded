// The code under test may run in another process; here it is Node's own client.
import { get } from 'node:http'
import { join } from 'node:path'
import { createMock } from 'animal-store-mock'
import { loadScenario, serve } from 'animal-store-mock/node'

it('answers on a real port, from a scenario file', async () => {
  const mock = createMock({ scenario: await loadScenario(join(__dirname, 'sold-out.yaml')) })
  const { url, close } = await serve(mock)
  const headers = { authorization: 'Bearer any-key' }
  const text = await new Promise((resolve, reject) => {
    get(`${url}/pets`, { headers }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (part) => {
        body += part
      })
      response.on('end', () => resolve(body))
    }).on('error', reject)
  })
  await close()
  expect(JSON.parse(text).map(({ status }) => status)).toEqual(['sold', 'sold', 'sold'])
})
