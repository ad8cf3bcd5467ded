// The same doors from CommonJS.
const assert = require('node:assert/strict')
const { writeFileSync } = require('node:fs')
const { createMock } = require('animal-store-mock')
const { calibrate } = require('animal-store-mock/calibrate')
const { connect } = require('animal-store-mock/control')
const { generatePets } = require('animal-store-mock/generate')
const { createHandlers } = require('animal-store-mock/msw')
const { loadScenario, serve } = require('animal-store-mock/node')
const { scenarios } = require('animal-store-mock/scenarios')
const openapi = require('animal-store-mock/openapi.json')
const { setupServer } = require('msw/node')

assert.match(require.resolve('animal-store-mock'), /\.cjs$/)
const headers = { authorization: 'Bearer a-key' }

async function main() {
  const mock = createMock({ pets: generatePets({ seed: 7, count: 3 }) })
  const { url, close } = await serve(mock)
  const listed = await (await fetch(`${url}/pets`, { headers })).text()
  assert.equal((await connect(url).summary()).pets, 3)
  assert.equal(typeof calibrate, 'function')
  await close()
  const server = setupServer(...createHandlers(mock, { baseUrl: 'https://api.example.test/v1' }))
  server.listen({ onUnhandledRequest: 'error' })
  assert.equal(await (await fetch('https://api.example.test/v1/pets', { headers })).text(), listed)
  mock.control.load(scenarios.empty)
  assert.equal(await (await fetch('https://api.example.test/v1/pets', { headers })).text(), '[]')
  server.close()
  // Longer than what is read without a thread.
  const animals = Array.from(
    { length: 2_000 },
    (_, id) => `  - { id: ${id}, name: Rex, categoryId: 1 }`,
  )
  writeFileSync('many.yaml', ['pets:', ...animals].join('\n'))
  assert.equal((await loadScenario('many.yaml')).pets.length, 2_000)
  console.log(openapi.info.title)
}

main()
