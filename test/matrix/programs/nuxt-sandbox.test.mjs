// The recipe for Nuxt, in the example: two visitors of one production build, each in the sandbox
// that the cookie names.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { createMock } from 'animal-store-mock'
import { serve } from 'animal-store-mock/node'

const cwd = import.meta.dirname

test('a page that Nuxt renders shows the sandbox that the cookie of its visitor names', async (t) => {
  execFileSync('npm', ['run', 'build'], { cwd, shell: true })
  const mock = createMock({ sandbox: true, scenario: { pets: [] } })
  const store = await serve(mock)
  const port = 20_000 + (process.pid % 20_000)
  const env = { ...process.env, API_URL: store.url, HOST: '127.0.0.1', PORT: String(port) }
  const site = spawn(process.execPath, ['.output/server/index.mjs'], { cwd, env })
  t.after(async () => {
    site.kill()
    await store.close()
  })
  await once(site.stdout, 'data')
  mock.control.sandbox('test-1').pets.add({ name: 'Rex', categoryId: 1 })
  mock.control.sandbox('test-2').pets.add({ name: 'Tom', categoryId: 2 })
  const look = async (sandbox) => {
    const headers = { cookie: `mock-sandbox=${sandbox}` }
    const page = await (await fetch(`http://127.0.0.1:${port}/names`, { headers })).text()
    return [...page.matchAll(/<li>(\w+)<\/li>/g)].map(([, name]) => name)
  }
  assert.deepEqual([await look('test-1'), await look('test-2')], [['Rex'], ['Tom']])
})
