import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { createMock } from 'animal-store-mock'
import { serve } from 'animal-store-mock/node'
import next from 'next'

test('a production build calls the mock whose address it was built with', async (t) => {
  const store = await serve(createMock())
  process.env.ANIMAL_STORE_URL = store.url // `next build` writes the rewrites, and with them the address
  execFileSync('npm', ['run', 'build'], { cwd: import.meta.dirname, shell: true })
  const app = next({ dir: import.meta.dirname })
  await app.prepare()
  const site = createServer(app.getRequestHandler()).listen(0, '127.0.0.1')
  await once(site, 'listening')
  t.after(async () => {
    site.close()
    await app.close()
    await store.close()
  })
  const home = `http://127.0.0.1:${site.address().port}/`
  const headers = { authorization: 'Bearer any-key', 'content-type': 'application/json' }
  const created = await fetch(`${home}v1/pets`, { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' })
  assert.equal(created.status, 201)
  assert.match(await (await fetch(home)).text(), /<li>Rex<\/li>/)
})
