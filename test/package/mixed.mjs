// A program that gets the package as ES modules and as CommonJS at once, as happens when a test and
// its set-up file differ: a mock of one build works with everything of the other.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import * as index from 'animal-store-mock'
import * as generate from 'animal-store-mock/generate'
import * as msw from 'animal-store-mock/msw'
import * as node from 'animal-store-mock/node'
import { scenarios } from 'animal-store-mock/scenarios'
import { setupServer } from 'msw/node'

const require = createRequire(import.meta.url)
const esm = { ...index, ...generate, ...msw, ...node, scenarios }
const cjs = Object.assign(
  {},
  ...['', '/generate', '/msw', '/node', '/scenarios'].map((door) =>
    require(`animal-store-mock${door}`),
  ),
)
const headers = { authorization: 'Bearer a-key' }
const base = 'https://api.example.test/v1'

async function use(ours, theirs) {
  const mock = ours.createMock({
    scenario: theirs.scenarios.single,
    pets: theirs.generatePets({ count: 2, seed: 7 }),
  })
  const ask = async (send, url) => (await send(`${url}/pets`, { headers })).text()
  const lists = [
    await ask(mock.fetch, base),
    await ask(theirs.createFetch(mock, { baseUrl: base }), base),
  ]
  const { url, close } = await theirs.serve(mock)
  lists.push(await ask(fetch, url))
  const broken = await fetch(new URL('/__mock/faults', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-mock-control': '1' },
    body: '{"operation":"adoptPet"}',
  })
  assert.equal(broken.status, 400, await broken.text())
  await close()
  // MSW's own check of its handlers knows those of its own build only.
  const { setupServer: setup } = theirs === esm ? { setupServer } : require('msw/node')
  const server = setup(...theirs.createHandlers(mock, { baseUrl: base }))
  server.listen()
  lists.push(await ask(fetch, base))
  server.close()
  assert.equal(new Set(lists).size, 1, 'every way in lists the same')
  assert.throws(() => mock.control.load({ pets: 7 }), theirs.UsageError)
  assert.throws(() => theirs.createHandlers(ours), ours.UsageError)
}

assert.notEqual(esm.createMock, cjs.createMock, 'there are two builds')
await use(esm, cjs)
await use(cjs, esm)
console.log('both ways')
