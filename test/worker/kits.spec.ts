// The kit for Playwright with a worker as the mock that its tests share.
import type { TestType } from '@playwright/test'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type TestStore, withStore } from '../../src/kits/playwright.ts'
import { startWorkerd, type Workerd } from '../support/workerd.ts'
import { createClient, TOKEN } from './http.ts'

type Fixture<T> = (fixtures: object, use: (value: T) => Promise<void>, info?: object) => Promise<void>

interface Fixtures {
  readonly mockUrl: readonly [Fixture<string>, object]
  readonly store: Fixture<TestStore>
}

let workerd: Workerd
beforeAll(async () => {
  workerd = await startWorkerd({ bindings: { CONTROL_TOKEN: TOKEN } })
})
afterAll(() => workerd.stop())

/** Runs a test with a store, as Playwright does. */
async function runTest(token: string, test: (store: TestStore) => Promise<void>): Promise<void> {
  let fixtures: Fixtures | undefined
  const base = {
    expect: { extend() {} },
    extend(given: Fixtures) {
      fixtures = given
    },
  }
  const url = `http://127.0.0.1:${workerd.port}/v1`
  vi.stubEnv('ANIMAL_STORE_CONTROL_TOKEN', token)
  withStore(base as unknown as TestType<object, object>, { url, scenario: { pets: [{ id: 7, name: 'Rex', categoryId: 1 }] } })
  const { mockUrl, store } = fixtures as unknown as Fixtures
  const info = { titlePath: ['file', 'test'], status: 'passed', expectedStatus: 'passed', attach: async () => {} }
  await mockUrl[0]({}, (given) => store({ mockUrl: given }, test, info))
}

it('give every test a sandbox of the worker, by its address and token, and remove it afterwards', async () => {
  const { control } = createClient(() => workerd.port)
  const keys: string[] = []
  const test = async ({ url, apiKey, control: own }: TestStore) => {
    keys.push(apiKey)
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const added = await fetch(`${url}/pets`, { method: 'POST', headers, body: '{"name":"Tom","categoryId":1}' })
    expect(await added.json()).toEqual({ id: 8, name: 'Tom', categoryId: 1 })
    expect((await own.state()).pets).toHaveLength(2)
    expect((await own.requests({ operation: 'createPet' })).map(({ status }) => status)).toEqual([201])
    expect(await control('GET', '/sandboxes')).toContain(apiKey)
  }
  await Promise.all([runTest(TOKEN, test), runTest(TOKEN, test)])
  expect(new Set(keys).size).toBe(2)
  expect(await control('GET', '/sandboxes')).toEqual([])
})

it('say what is wrong with a token', async () => {
  await expect(runTest('not-the-token-of-it', async () => {})).rejects.toThrow(
    `withStore: http://127.0.0.1:${workerd.port}/v1: The mock requires its control token; set ANIMAL_STORE_CONTROL_TOKEN to it`,
  )
})
