import { expect, it } from 'vitest'
import { sharedResources } from './shared-resources.ts'

it.each([
  ['/', 'text/html; charset=utf-8', /^<!doctype html>/i],
  ['/console.js', 'text/javascript; charset=utf-8', /\w/],
  ['/console.css', 'text/css; charset=utf-8', /\{/],
])('has %s of the console', async (path, type, text) => {
  const asset = await sharedResources.assets(path)
  expect(asset?.type).toBe(type)
  expect(asset?.body).toMatch(text)
})

it.each(['', '/console', '/console.html', '/toString'])('has no %j', (path) => {
  expect(sharedResources.assets(path)).toBeUndefined()
})

it('has the shipped scenarios and the contract', async () => {
  expect(Object.keys(await sharedResources.scenarios())).toContain('sold-out')
  expect(await sharedResources.openapi()).toMatchObject({ info: { title: 'Animal Store' } })
})
