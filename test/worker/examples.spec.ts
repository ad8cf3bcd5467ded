// The examples for more than one process, started as the docs say.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createExampleProject } from '../support/example-project.ts'
import { launch, startWorkerd } from '../support/workerd.ts'
import { createClient, TOKEN } from './http.ts'

describe('examples/workerd', () => {
  it('is built from the package, and its sandboxes survive a kill; without a token it has no control API', async () => {
    const { folder, run } = createExampleProject('workerd')
    await run('npm run build')
    mkdirSync(join(folder, 'sandboxes'))
    const flags = ['--socket-addr=http=127.0.0.1:0']
    let workerd = await launch(folder, { flags })
    onTestFinished(() => workerd.kill())
    const client = createClient(() => workerd.port)
    const { status, text } = await client.ask({ path: '/__mock/health' })
    const message =
      'The control API is off: the mock has control: false or --no-control, or, in a Worker, there is no CONTROL_TOKEN'
    expect([status, text]).toEqual([
      404,
      JSON.stringify({ code: 'NotFound', message, status: 404 }),
    ])
    expect((await client.create('a-key', 'Rex')).text).toBe('{"id":19,"name":"Rex","categoryId":1}')
    await workerd.kill()
    workerd = await launch(folder, { flags, env: { CONTROL_TOKEN: TOKEN } })
    expect((await client.ask({ path: '/v1/pets/19', key: 'a-key' })).text).toBe(
      '{"id":19,"name":"Rex","categoryId":1}',
    )
    expect(await client.control('GET', '/sandboxes')).toEqual(['a-key'])
    expect((await client.ask({ path: '/__mock/health' })).text).toMatch(
      /"message":"The control API requires its token; .*"status":401/,
    )
    // From the files that all builds of the package share.
    expect((await client.ask({ path: '/__mock/' })).text).toContain(
      '<title>Animal Store mock</title>',
    )
    expect(await client.control('GET', '/openapi.json')).toMatchObject({
      servers: [{ url: `http://127.0.0.1:${workerd.port}/v1` }],
    })
    const sent = { file: 'a.yaml', text: 'extends: empty\ngenerate: { count: 3, seed: 1 }\n' }
    expect(await client.control('PUT', '/state?sandbox=a-key', sent)).toMatchObject({
      scenario: 'a',
      pets: 3,
    })
  })
})

describe('examples/workers', () => {
  it('has an entry and a configuration that work on the runtime of Workers', async () => {
    const { folder } = createExampleProject('workers')
    const text = readFileSync(join(folder, 'wrangler.jsonc'), 'utf8').replace(/^\s*\/\/.*$/gm, '')
    const { main, compatibility_date, compatibility_flags, durable_objects, migrations, vars } =
      JSON.parse(text)
    const [{ name, class_name }] = durable_objects.bindings
    expect([name, class_name, migrations[0].new_sqlite_classes]).toEqual([
      'SANDBOXES',
      'Sandbox',
      ['Sandbox'],
    ])
    const workerd = await startWorkerd({
      entry: join(folder, main),
      bindings: vars,
      compatibilityDate: compatibility_date,
      compatibilityFlags: compatibility_flags,
    })
    onTestFinished(() => workerd.stop())
    const client = createClient(() => workerd.port)
    expect((await client.create('a-key', 'Rex')).status).toBe(201)
  })
})

describe('examples/haproxy', () => {
  it('has mocks that start with the flags of its scripts', async () => {
    const { folder } = createExampleProject('haproxy')
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const config = readFileSync(join(folder, 'haproxy.cfg'), 'utf8')
    for (const name of ['mock:1', 'mock:2']) {
      const [command, ...flags] = scripts[name].split(' ')
      expect(command).toBe('animal-store-mock')
      expect(config).toContain(`127.0.0.1:${flags.at(-1)} check`)
      const bin = createRequire(import.meta.url).resolve('../../bin/animal-store-mock.js')
      const mock = spawn(process.execPath, [bin, ...flags.slice(0, -1), '0'], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      onTestFinished(() => void mock.kill())
      const banner = await new Promise<string>(
        (resolve) => void mock.stderr.once('data', (chunk) => resolve(String(chunk))),
      )
      expect(banner).toContain('http://127.0.0.1:')
    }
  })
})
