import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { createMock } from 'animal-store-mock'
import { serve } from 'animal-store-mock/node'

const cwd = import.meta.dirname
const headers = { authorization: 'Bearer any-key', 'content-type': 'application/json' }

test('page and server of a production build share the state of one mock', async (t) => {
  execFileSync('npm', ['run', 'build'], { cwd, shell: true })
  const store = await serve(createMock())
  const port = 20_000 + (process.pid % 20_000)
  const env = { ...process.env, ANIMAL_STORE_URL: store.url, HOST: '127.0.0.1', PORT: String(port) }
  const site = spawn(process.execPath, ['build'], { cwd, env })
  t.after(async () => {
    site.kill()
    await store.close()
  })
  await once(site.stdout, 'data')
  const home = `http://127.0.0.1:${port}`
  const body = '{"name":"Rex","categoryId":1}'
  const created = await fetch(`${home}/v1/pets`, { method: 'POST', headers, body })
  assert.equal(created.status, 201)
  assert.match(await (await fetch(`${home}/pets`)).text(), /<li>Rex<\/li>/)
})
