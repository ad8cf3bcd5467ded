import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

test('a production build calls the API on its own site, and contains nothing of the mock', () => {
  const cwd = import.meta.dirname
  execFileSync('npm', ['run', 'build'], { cwd, shell: true })
  const folder = `${cwd}/dist/browser`
  const scripts = readdirSync(folder).filter((file) => file.endsWith('.js'))
  const text = scripts.map((file) => readFileSync(`${folder}/${file}`, 'utf8')).join('\n')
  assert.match(text, /"\/v1\/pets"/)
  assert.doesNotMatch(text, /animal-store/)
})
