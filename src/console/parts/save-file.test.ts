import { expect, it } from 'vitest'
import { toFileName } from './save-file.ts'

it.each([
  ['sold-out', 'sold-out.json'],
  ['My world / 1', 'My-world-1.json'],
  ['../../etc/passwd', 'etc-passwd.json'],
  ['..', 'scenario.json'],
  ['雪', 'scenario.json'],
  ['x'.repeat(300), `${'x'.repeat(80)}.json`],
])('%s becomes the file %s', (name, file) => {
  expect(toFileName(name, 'json')).toBe(file)
})

it.each([
  ['dashes', '-'],
  ['dots', '.'],
  ['dashes and dots', '-.'],
  ['what becomes dashes', '/'],
])('takes time linear in its length for 400,000 %s', (_, mark) => {
  const name = `a${mark.repeat(400_000 / mark.length)}b`
  const startedAt = performance.now()
  expect(toFileName(name, 'json')).toMatch(/^a[-.b]*\.json$/)
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})
