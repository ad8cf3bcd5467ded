// The plugin in real servers of Vite: dev, preview and build.
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { build, createLogger, createServer, type InlineConfig, type Plugin, preview } from 'vite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type AnimalStoreOptions, animalStore } from '../../src/hosts/node/vite.ts'
import { createFolder } from '../support/cli-process.ts'
import { listen } from '../support/listen.ts'

/** One connection for each request: the next server may get the port of the last. */
const headers = { authorization: 'Bearer any-key', connection: 'close' }

/** An app with one page, and what Vite prints about it. */
function createApp(options?: AnimalStoreOptions) {
  const root = createFolder()
  writeFileSync(
    join(root, 'index.html'),
    '<title>The app</title><script type="module" src="/main.js"></script>',
  )
  writeFileSync(join(root, 'main.js'), 'console.log("main")')
  const printed: string[] = []
  const logger = Object.assign(createLogger('info'), {
    info: (line: string) => void printed.push(line),
  })
  const server = { port: 0, host: '127.0.0.1' }
  const optimizeDeps = { noDiscovery: true }
  const config: InlineConfig = {
    root,
    optimizeDeps,
    configFile: false,
    customLogger: logger,
    plugins: [animalStore(options)],
    server,
    preview: server,
  }
  return { root, printed, config }
}

async function startDev(
  options?: AnimalStoreOptions,
  more: InlineConfig = {},
  plugins: readonly Plugin[] = [],
) {
  const { printed, config, root } = createApp(options)
  const site = await createServer({
    ...config,
    ...more,
    plugins: [...(config.plugins ?? []), ...plugins],
    server: { ...config.server, ...more.server },
  })
  onTestFinished(() => site.close())
  await site.listen()
  site.printUrls()
  const origin = () => new URL(site.resolvedUrls?.local[0] as string).origin
  return {
    site,
    printed,
    root,
    origin,
    ask: (path: string, init: RequestInit = {}) => fetch(origin() + path, { headers, ...init }),
  }
}

it('the Vite plugin answers in the dev server, and leaves the app to Vite', async () => {
  const { ask, printed, origin } = await startDev({ scenario: 'single' })
  expect(await (await ask('/v1/pets')).json()).toHaveLength(1)
  expect(await (await ask('/__mock/health')).json()).toMatchObject({ scenario: 'single' })
  expect(await (await ask('/', { headers: { ...headers, accept: 'text/html' } })).text()).toContain(
    'The app',
  )
  expect(await (await ask('/main.js')).text()).toContain('main')
  expect(printed.join('\n')).toContain(`Animal Store: ${origin()}/__mock/`)
})

it.each([[[2, 1]], [[3, 1, 2]]])(
  'the dev server sends held responses in the order of their releases: %j',
  async (order) => {
    const { ask } = await startDev({ faults: [{ operation: 'listPets', hold: true }] })
    const listHeld = async (): Promise<{ id: number }[]> => (await ask('/__mock/held')).json()
    const json = { ...headers, 'content-type': 'application/json' }
    const answered: number[] = []
    const sent: Promise<number>[] = []
    for (let number = 1; number <= order.length; number++) {
      sent.push(ask(`/v1/pets?limit=${number}`).then(() => answered.push(number)))
      while ((await listHeld()).length < number);
    }
    const held = await listHeld()
    for (const number of order) {
      const body = JSON.stringify({ id: held[number - 1]?.id })
      await ask('/__mock/release', { method: 'POST', headers: json, body })
      await sent[number - 1]
    }
    expect(answered).toEqual(order)
  },
)

it('the Vite plugin answers what is left under /v1/ with the 404 of the service, unless it is a navigation', async () => {
  const { ask, printed, origin } = await startDev({ pets: [] })
  for (const path of ['/v1/pet', '/v1/orders?x']) {
    expect(await (await ask(path)).json()).toMatchObject({ code: 'NotFound', status: 404 })
    await vi.waitUntil(() => printed.some((line) => line.includes(`GET  ${path} `)))
    const navigation = request(origin() + path, {
      headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' },
    }).end()
    const [page] = (await once(navigation, 'response')) as [IncomingMessage]
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html'])
    page.resume()
  }
  expect(await (await ask('/basket')).text()).toContain('The app')
  expect(printed.join()).not.toContain('went to the app')
})

it('the Vite plugin leaves a near miss to the app, and says in the terminal what was probably meant', async () => {
  const { ask, printed } = await startDev({ pets: [] })
  expect(await (await ask('/pets')).text()).toContain('The app')
  expect((await ask('/api/v1/pets', { method: 'POST', body: '{}' })).status).toBe(404)
  const under = await startDev({ pets: [], baseUrl: '/api/v1' })
  expect(await (await under.ask('/api/pets?limit=1')).text()).toContain('The app')
  const listHints = () =>
    [...printed, ...under.printed].filter((line) => line.includes('went to the app'))
  await vi.waitUntil(() => listHints().length === 3)
  expect(listHints()).toEqual([
    'animal-store-mock: GET /pets went to the app. Missing /v1; did you mean /v1/pets?',
    'animal-store-mock: POST /api/v1/pets went to the app. Unknown prefix /api; did you mean /v1/pets?',
    'animal-store-mock: GET /api/pets went to the app. Missing /v1; did you mean /api/v1/pets?',
  ])
})

it('the Vite plugin leaves every route of a framework to it, and hints only if it has no answer', async () => {
  const framework: Plugin = {
    name: 'framework',
    config: () => ({ appType: 'custom' }),
    configureServer: (server) => () => {
      server.middlewares.use((request, response) => {
        response.statusCode = request.originalUrl === '/pet' ? 404 : 200
        response.setHeader('content-type', 'text/html')
        response.end(`the framework: ${request.originalUrl}`)
      })
    },
  }
  const { ask, printed } = await startDev({ pets: [] }, {}, [framework])
  const paths = ['/pets/19.data', '/pets/__data.json', '/pets/new', '/api/v1/pets', '/v1/orders']
  for (const path of [...paths, '/pet'])
    expect(await (await ask(path)).text()).toBe(`the framework: ${path}`)
  expect(await (await ask('/pets', { method: 'POST', body: 'name=Rex' })).text()).toContain('/pets')
  expect((await ask('/v1/pets')).status).toBe(200)
  await vi.waitUntil(() => printed.some((line) => line.includes('GET /pet ')))
  expect(printed.filter((line) => line.includes('went to the app'))).toEqual([
    'animal-store-mock: GET /pet went to the app. Unknown path; did you mean /v1/pets?',
  ])
})

it('the Vite plugin leaves what a proxy answers to the proxy', async () => {
  const target = await listen((_, response) => response.end('orders'))
  const { ask } = await startDev({ pets: [] }, { server: { proxy: { '/v1': target } } })
  expect(await (await ask('/v1/orders')).text()).toBe('orders')
})

it('the Vite plugin requires a control token behind a tunnel, although that connects from this machine', async () => {
  const tunnel = { ...headers, 'x-forwarded-for': '203.0.113.9' }
  const open = await startDev({ pets: [] })
  expect((await open.ask('/__mock/health', { headers: tunnel })).status).toBe(403)
  expect((await open.ask('/v1/pets', { headers: tunnel })).status).toBe(200)
  const controlToken = 'a-token-of-sixteen-characters'
  const { ask } = await startDev({ pets: [], controlToken })
  expect(
    (
      await ask('/__mock/health', {
        headers: { ...tunnel, authorization: `Bearer ${controlToken}` },
      })
    ).status,
  ).toBe(200)
})

it('the Vite plugin logs requests in the terminal, unless log is false', async () => {
  const logged = (lines: readonly string[]) =>
    lines.filter((line) => line.includes('/v1/pets/1')).length
  const { ask, printed } = await startDev({ pets: [] })
  await ask('/v1/pets/1')
  await vi.waitUntil(() => logged(printed) === 1)
  const silent = await startDev({ pets: [], log: false })
  await silent.ask('/v1/pets/1')
  expect(logged(silent.printed)).toBe(0)
})

it('the Vite plugin loads a scenario file again when it changes', async () => {
  const file = join(createFolder(), 'zoo.json')
  writeFileSync(file, '{"pets":[]}')
  const { ask, printed } = await startDev({ scenario: file })
  writeFileSync(file, '[{"id":7,"name":"Rex","categoryId":1}]')
  await vi.waitUntil(() => printed.some((line) => line.includes('zoo.json changed')), {
    timeout: 10_000,
  })
  expect(await (await ask('/v1/pets')).json()).toEqual([{ id: 7, name: 'Rex', categoryId: 1 }])
})

it('the Vite plugin answers under baseUrl, and has its console at the root, for any base of the app', async () => {
  const { ask, printed, origin } = await startDev({ baseUrl: '/api/v1' }, { base: '/shop/' })
  expect((await ask('/api/v1/pets')).status).toBe(200)
  expect(printed.join('\n')).toContain(`Animal Store: ${origin()}/__mock/`)
})

it('the Vite plugin restarts with the server, and leaves the web socket of Vite alone', async () => {
  const { ask, site, origin } = await startDev({ pets: [] })
  const create = () =>
    ask('/v1/pets', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"name":"Rex","categoryId":1}',
    })
  expect((await create()).status).toBe(201)
  const events = await fetch(`${origin()}/__mock/events`, { headers })
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-protocol': 'vite-hmr',
  }
  const asked = request(`${origin()}/?token=${site.config.webSocketToken}`, {
    headers: { ...upgrade, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' },
  }).end()
  const [{ statusCode }] = (await once(asked, 'upgrade')) as [IncomingMessage]
  expect(statusCode).toBe(101)
  await site.restart()
  await events.text().catch(() => {})
  await vi.waitFor(async () => expect(await (await ask('/v1/pets')).json()).toEqual([]))
})

it('with persist, the Vite plugin keeps animals, faults and log when the dev server restarts, unless its options change', async () => {
  const { ask, site, root } = await startDev({ pets: [], persist: true })
  const json = { ...headers, 'content-type': 'application/json' }
  const body = '{"name":"Rex","categoryId":1}'
  expect((await ask('/v1/pets', { method: 'POST', headers: json, body })).status).toBe(201)
  await ask('/__mock/faults', {
    method: 'POST',
    headers: json,
    body: '{"operation":"getPet","drop":true}',
  })
  await site.restart()
  expect(await (await ask('/v1/pets')).json()).toHaveLength(1)
  expect(await (await ask('/__mock/faults')).json()).toHaveLength(1)
  expect(await (await ask('/__mock/requests')).json()).toHaveLength(2)
  const other = await startDev({ pets: [], frozen: true, persist: true }, { root })
  expect(await (await other.ask('/v1/pets')).json()).toEqual([])
})

it('the Vite plugin adds nothing to a build, and answers in a preview if that is turned on', async () => {
  const quiet = createApp()
  await build({ ...quiet.config, logLevel: 'silent' })
  expect(readFileSync(join(quiet.root, 'dist/index.html'), 'utf8')).not.toContain('mock')
  for (const isOn of [false, true]) {
    const { config, printed } = createApp({ preview: isOn })
    const site = await preview({ ...config, root: quiet.root })
    onTestFinished(() => site.close())
    site.printUrls()
    const response = await fetch(new URL('/v1/pets', site.resolvedUrls?.local[0]), { headers })
    expect(response.headers.get('content-type')).toBe(isOn ? 'application/json' : 'text/html')
    expect(printed.some((line) => line.includes('Animal Store'))).toBe(isOn)
  }
})
