import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createMock } from 'animal-store-mock'
import { serve } from 'animal-store-mock/node'

const cwd = import.meta.dirname

test('a production build calls the API on its own site, and contains nothing of the mock', () => {
  execFileSync('npm', ['run', 'build'], { cwd, shell: true })
  const folder = `${cwd}/dist/browser`
  const scripts = readdirSync(folder).filter((file) => file.endsWith('.js'))
  const text = scripts.map((file) => readFileSync(`${folder}/${file}`, 'utf8')).join('\n')
  assert.match(text, /"\/v1\/pets"/)
  assert.doesNotMatch(text, /animal-store/)
})

test('the dev server passes /v1 on to the mock', async (t) => {
  const store = await serve(createMock())
  const port = 20_000 + (process.pid % 20_000)
  const env = { ...process.env, ANIMAL_STORE_URL: store.url, NG_CLI_ANALYTICS: 'false' }
  const args = ['serve', '--host', '127.0.0.1', '--port', String(port), '--no-hmr']
  const site = spawn('ng', args, { cwd, env })
  t.after(async () => {
    site.kill()
    await store.close()
  })
  let output = ''
  await new Promise((resolve, reject) => {
    site.stdout.on('data', (text) => {
      output += text
      if (output.includes('Local:')) resolve()
    })
    site.once('exit', () => reject(new Error(output)))
  })
  const headers = { authorization: 'Bearer any-key' }
  const response = await fetch(`http://127.0.0.1:${port}/v1/pets/1`, { headers })
  assert.deepEqual([response.status, (await response.json()).id], [200, 1])
})
