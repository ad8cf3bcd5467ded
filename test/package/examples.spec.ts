// The examples, each run as its reader would run it; those that need a browser are in
// browser/examples.spec.ts, and those with tools that we do not develop with in the matrix.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { serve } from '../../src/hosts/node/index.ts'
import { createMock } from '../../src/index.ts'
import { createExampleProject, readManifest } from '../support/example-project.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const names = readdirSync(join(root, 'examples'), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)
const tsc = join(root, 'node_modules/typescript/bin/tsc')

describe('the examples', () => {
  it('are all listed in their README', () => {
    const listed = [
      ...readFileSync(join(root, 'examples/README.md'), 'utf8').matchAll(
        /^\| \[([\w-]+)\]\(\1\)/gm,
      ),
    ].map(([, name]) => name)
    expect(listed.sort()).toEqual(names.sort())
  })

  it.each(names)('%s pins the versions that we develop with', (name) => {
    const { 'animal-store-mock': ours, ...others }: Record<string, string> = readManifest(
      join(root, 'examples', name),
    ).devDependencies
    expect(ours).toBe('file:../..')
    // Its compiler takes no newer one.
    if (name === 'angular') delete others.typescript
    const { devDependencies } = readManifest(root)
    expect(devDependencies).toMatchObject(
      Object.fromEntries(
        Object.entries(others).filter(([dependency]) => dependency in devDependencies),
      ),
    )
  })

  // Of one the types are generated first: that is a row of the matrix.
  const typed = names.filter(
    (name) =>
      name !== 'openapi-typescript' && existsSync(join(root, 'examples', name, 'tsconfig.json')),
  )
  it.each(typed)('%s has correct types', async (name) => {
    const example = createExampleProject(name)
    expect(await example.run(`"${process.execPath}" "${tsc}" -p .`)).toBe('')
  })
})

describe('npm test', () => {
  it.each([
    ['vitest', /Tests\s+10 passed/],
    ['typed-client', /Tests\s+4 passed/],
    ['node-test', /# pass 3\n/],
    ['vite', /# pass 4\n/],
  ])('passes in the example %s', async (name, summary) => {
    expect(await createExampleProject(name).run('npm test', { NO_COLOR: '1' })).toMatch(summary)
  })
})

describe('in the examples,', () => {
  const read = (file: string) => readFileSync(join(root, 'examples', file), 'utf8')

  it('the Dockerfile starts a mock that other containers reach by its name, and Compose sees that it is ready', async () => {
    const { services } = parse(read('container/compose.yaml'))
    expect(readFileSync(join(root, 'docs/ci.md'), 'utf8')).toContain(read('container/Dockerfile'))
    const mock = services['animal-store']
    const toWords = (list: readonly string[]) => list.map((word) => `'${word}'`).join(' ')
    const command = toWords(JSON.parse(/^CMD (.*)$/m.exec(read('container/Dockerfile'))?.[1] ?? ''))
    const check = toWords(mock.healthcheck.test.slice(1))
    const { hostname, port } = new URL(services.tests.environment.ANIMAL_STORE_URL)
    expect([mock.ports, mock.healthcheck.test[0]]).toEqual([[`127.0.0.1:${port}:${port}`], 'CMD'])
    // A free port in place of the fixed one, which may be taken here.
    const start = command.replace(`'${port}'`, `'0' --ready-file ready`)
    const ask = `curl -s -o body -w '%{http_code}' -H 'Authorization: Bearer any-key' -H 'Host: ${hostname}' "$(cat ready)/pets"`
    const wait = 'while [ ! -s ready ]; do sleep 0.1; done; port=$(sed "s,.*:,,; s,/.*,," ready)'
    const script = `${start} & ${wait}; ${ask}; ${check} --port $port > status; code=$?; kill %1 2> kill || kill $!; wait; exit $code`
    const env = { ...mock.environment, ANIMAL_STORE_CONTROL_TOKEN: 'a-long-control-token' }
    expect(await createExampleProject('container').run(script, env)).toContain('200')
  })

  it('the command for Cypress resets the mock, calls its control and returns the body', async () => {
    const { url, close } = await serve(createMock())
    onTestFinished(close)
    const commands: Record<string, (...args: unknown[]) => { readonly body: Promise<unknown> }> = {}
    const hooks: (() => { readonly body: Promise<unknown> })[] = []
    const request = async ({
      method,
      url: address,
      body,
    }: {
      method: string
      url: string
      body?: unknown
    }) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(address, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      expect(response.ok).toBe(true)
      return response.json().catch(() => undefined)
    }
    const cy = {
      request: (options: Parameters<typeof request>[0]) => ({
        its: (name: string) => ({ [name]: request(options) }),
      }),
      store: (...args: unknown[]) => commands.store?.(...args),
    }
    const Cypress = {
      env: () => url,
      Commands: {
        add: (name: string, command: (typeof commands)[string]) => (commands[name] = command),
      },
    }
    new Function('Cypress', 'cy', 'beforeEach', read('cypress/cypress/support/e2e.js'))(
      Cypress,
      cy,
      (hook: (typeof hooks)[number]) => hooks.push(hook),
    )
    await commands.store?.('PUT', '/state', { name: 'sold-out' }).body
    await commands.store?.('POST', '/faults', { operation: 'listPets', status: 503 }).body
    expect(await commands.store?.('GET', '/faults').body).toHaveLength(1)
    await hooks[0]?.().body
    expect(await commands.store?.('GET', '/faults').body).toEqual([])
  })
})
