// A stranger's program: uses every door of the installed package, and prints what it saw. Runs in
// an empty project on any Node.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import * as index from 'animal-store-mock'
import * as calibrate from 'animal-store-mock/calibrate'
import * as console_ from 'animal-store-mock/console'
import * as control from 'animal-store-mock/control'
import * as generate from 'animal-store-mock/generate'
import * as msw from 'animal-store-mock/msw'
import * as node from 'animal-store-mock/node'
import * as playwright from 'animal-store-mock/playwright'
import * as scenarios from 'animal-store-mock/scenarios'
import * as storybook from 'animal-store-mock/storybook'
import * as vite from 'animal-store-mock/vite'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'

const read = (door) =>
  readFileSync(new URL(import.meta.resolve(`animal-store-mock/${door}`)), 'utf8')
const headers = { authorization: 'Bearer a-key', 'content-type': 'application/json' }
const body = '{"name":"Zoë 🦊","categoryId":9223372036854775807}'
const created = '{"id":19,"name":"Zoë 🦊","categoryId":9223372036854775807}'

/** The same short life on every host: create, read, be refused, be dropped, start again. */
async function live(mock, base, ask) {
  const first = await ask(`${base}/pets`, { method: 'POST', headers, body })
  assert.equal(first.status, 201)
  assert.equal(await first.text(), created)
  assert.equal(await (await ask(`${base}/pets/19`, { headers })).text(), created)
  assert.equal((await ask(`${base}/pets`)).status, 401)
  assert.equal((await ask(`${base}/pets`, { method: 'DELETE', headers })).status, 405)
  const head = await ask(`${base}/pets/19`, { method: 'HEAD', headers })
  assert.deepEqual(
    [head.headers.get('content-length'), await head.text()],
    [String(Buffer.byteLength(created)), ''],
  )
  mock.control.faults.add({ operation: 'listPets', drop: true, times: 1 })
  await assert.rejects(ask(`${base}/pets`, { headers }), TypeError)
  mock.control.faults.add({ operation: 'listPets', delay: 50, times: 1 })
  const before = performance.now()
  const list = await (await ask(`${base}/pets?limit=100`, { headers })).text()
  assert.ok(performance.now() - before >= 49, 'a delay is waited for')
  assert.deepEqual(
    mock.control.requests().map(({ status }) => status),
    [201, 200, 401, 405, 200, 0, 200],
  )
  mock.control.reset()
  assert.equal((await ask(`${base}/pets/19`, { headers })).status, 404)
  return list
}

const direct = index.createMock()
const lists = [
  await live(direct, 'http://any.test/v1', (url, init) => direct.fetch(new Request(url, init))),
]

const served = index.createMock()
const { url, close } = await node.serve(served)
lists.push(await live(served, url, fetch))
assert.equal((await control.connect(url).load('sold-out')).scenario, 'sold-out')
await assert.rejects(control.connect(url).clock.set('never'), control.UsageError)
await close()

const mocked = index.createMock()
const base = 'https://api.example.test/v1'
const server = setupServer(...msw.createHandlers(mocked, { baseUrl: base }), ...msw.handlers)
server.listen()
lists.push(await live(mocked, base, fetch))
assert.equal((await fetch(`${base}/orders`, { headers })).status, 404)
assert.equal((await fetch('http://elsewhere.test/v1/pets', { headers })).status, 200)
server.use(http.get(`${base}/pets`, () => HttpResponse.json({ over: 'ridden' })))
assert.deepEqual(await (await fetch(`${base}/pets`, { headers })).json(), { over: 'ridden' })
server.close()

assert.equal(new Set(lists).size, 1, 'every host lists the same bytes')
assert.throws(() => direct.control.load({ pets: 7 }), index.UsageError)
assert.throws(() => generate.generatePets({ count: -1 }), index.UsageError)
direct.control.load(scenarios.scenarios['sold-out'])
// Longer than what is read without a thread.
const animals = Array.from(
  { length: 2_000 },
  (_, id) => `  - { id: ${id}, name: Rex, categoryId: 1 }`,
)
writeFileSync('many.yaml', ['pets:', ...animals].join('\n'))
writeFileSync('base.json', '{"now":"2030-12-06","frozen":true}')
writeFileSync('some.yaml', 'extends: base.json\ngenerate: { count: 3, seed: 7 }')
writeFileSync('wrong.yaml', ['pets:', ...animals, 'now: never'].join('\n'))
assert.equal((await node.loadScenario('many.yaml')).pets.length, 2_000)
const some = {
  name: 'some',
  now: '2030-12-06',
  frozen: true,
  pets: generate.generatePets({ count: 3, seed: 7 }),
  generated: 3,
}
assert.deepEqual(await node.loadScenario('some.yaml'), some)
await assert.rejects(
  node.loadScenario('wrong.yaml'),
  /^UsageError: wrong\.yaml:2002 now: expected a date /,
)
assert.equal(
  (
    await calibrate.calibrate({
      baseUrl: 'http://localhost/v1',
      apiKey: 'a-key',
      fetch: async () => new Response('', { status: 503 }),
    })
  ).outcome,
  'could not check',
)
assert.match(read('openapi.yaml'), /^openapi: 3\.1/m)
assert.equal(JSON.parse(read('openapi.json')).openapi, '3.1.0')
assert.equal(typeof JSON.parse(read('scenario.schema.json')).properties, 'object')

const doors = {
  index,
  calibrate,
  control,
  generate,
  msw,
  node,
  scenarios,
  playwright,
  storybook,
  vite,
  console: console_,
}
console.log(
  JSON.stringify({
    exports: Object.fromEntries(
      Object.entries(doors).map(([door, module]) => [door, Object.keys(module).sort()]),
    ),
    scenarios: Object.keys(scenarios.scenarios),
    golden: generate.generatePets({ seed: 7, count: 25 }),
  }),
)
