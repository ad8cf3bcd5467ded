// What a run has tried of the contract: counted when a request is settled, whatever becomes of the
// world that it was for.
import { expect, it } from 'vitest'
import { mergeCoverage } from '../../src/cli/coverage/files.ts'
import { type Coverage, createMock, type Mock } from '../../src/index.ts'
import { toCall } from '../support/call.ts'
import { type Api, onEveryHost } from '../support/hosts.ts'

type Tree = number | { readonly [name: string]: Tree }

/** The cells that were tried, and everything else, with the kind in front of the name. */
function seen({ control }: Pick<Mock, 'control'>): Record<string, number> {
  const { format, contract, requests, cells, ...rest }: Coverage = control.coverage()
  const flatten = (tree: Tree, path: string): [string, number][] =>
    typeof tree === 'number'
      ? [[path, tree]]
      : Object.entries(tree).flatMap(([name, part]) => flatten(part, `${path} ${name}`))
  const others = Object.entries(rest).flatMap(([kind, tree]) =>
    flatten(tree, `${kind}:`).map(([path, count]) => [path.replace(': ', ':'), count]),
  )
  return {
    ...Object.fromEntries(Object.entries(cells).filter(([, count]) => count > 0)),
    ...Object.fromEntries(others),
  }
}

const ORDER = 'assumptions:list-order oldest-first listPets'
const LISTED = {
  listPets: 1,
  'listPets.200': 1,
  'listPets.limit=absent': 1,
  'listPets.status=absent': 1,
  [ORDER]: 1,
}

it('coverage: of a new mock has every cell of the contract, and no request', () => {
  const { format, requests, cells, contract, ...rest } = createMock().control.coverage()
  expect({ format, requests, rest }).toEqual({
    format: 2,
    requests: 0,
    rest: { faults: {}, undocumented: {}, nearMisses: {}, assumptions: {} },
  })
  expect(contract).toMatch(/^Animal Store 1\.0\.0 \([0-9a-f]{16}\)$/)
  expect(Object.values(cells).every((count) => count === 0)).toBe(true)
})

it('coverage: is a copy', () => {
  const { control } = createMock()
  ;(control.coverage().cells as Record<string, number>).listPets = 9
  ;(control.coverage().nearMisses as Record<string, number>).x = 9
  expect(seen({ control })).toEqual({})
})

onEveryHost((start) => {
  it('counts the operation, the response and the class of every parameter', async () => {
    const api = await start()
    await api.ask('/v1/pets?limit=100&status=sold')
    expect(seen(api.mock)).toEqual({
      listPets: 1,
      'listPets.200': 1,
      'listPets.limit=highest': 1,
      'listPets.status=sold': 1,
      [ORDER]: 1,
    })
  })

  it('counts a body that cannot be read, and a request without a key, for the operation and the status alone', async () => {
    const api = await start()
    await api.create('{"name":')
    await api.create('[]')
    await api.ask({ target: '/v1/pets?limit=0', key: null })
    expect(seen(api.mock)).toEqual({
      createPet: 2,
      'createPet.400': 2,
      listPets: 1,
      'listPets.401': 1,
      'assumptions:error-codes names createPet': 2,
      'assumptions:error-codes names listPets': 1,
    })
  })

  it('holds no key, body or value of a request', async () => {
    const api = await start()
    const secret = 'c0ffee'
    await api.ask({
      target: `/v1/pets/${secret}?${secret}=${secret}&status=${secret}`,
      key: secret,
    })
    await api.ask({ target: `/v1/${secret}`, key: secret })
    await api.create({ name: secret, categoryId: 1, [secret]: secret }, { key: secret })
    await api.ask({ headers: { prefer: `code=503, ${secret}` }, key: secret })
    expect(api.mock.control.coverage().requests).toBe(4)
    expect(JSON.stringify(api.mock.control.coverage())).not.toContain(secret)
  })
})

onEveryHost(
  (start) => {
    it('does not count a preflight', async () => {
      const api = await start()
      await api.ask({ method: 'OPTIONS', key: null })
      expect(api.mock.control.coverage().requests).toBe(0)
    })

    it('counts a request whose client left for what it sent, and for no response', async () => {
      const mock = createMock()
      mock.answer({ ...toCall('GET', '/v1/pets'), reportsOutcome: true }).settle?.('aborted')
      const { 'listPets.200': _, ...rest } = LISTED
      expect(seen(mock)).toEqual(rest)
    })

    it('loses nothing to resets, a short request log and removed sandboxes', async () => {
      const api = await start({ sandbox: true, requestLog: { rows: 1 } })
      for (let index = 0; index < 300; index++) {
        const key = `key-${index}`
        await api.ask({ key })
        if (index % 3 === 0) api.mock.control.sandbox(key).reset()
        if (index % 5 === 0) api.mock.control.removeSandbox(key)
      }
      api.mock.control.reset()
      expect(api.mock.control.sandboxes().length).toBeLessThan(300)
      expect(seen(api.mock)).toEqual(
        Object.fromEntries(Object.keys(LISTED).map((name) => [name, 300])),
      )
    })

    it('of four shards, merged, equals that of one run', async () => {
      const tests: ((api: Api, key: string) => Promise<unknown>)[] = [
        (api, key) => api.ask({ key, target: '/v1/pets?limit=1' }),
        (api, key) => api.create({ name: '', categoryId: 2, status: 'sold' }, { key }),
        async (api, key) => {
          await api.ask({ key, headers: { prefer: 'code=503' } })
          await api.ask({ key })
        },
        (api, key) => api.ask({ key, target: '/v1/pets/abc' }),
        (api) => api.ask({ key: null }),
        (api, key) => api.ask({ key, target: '/pets' }),
      ]
      const all = Array.from({ length: 48 }, (_, index) => ({
        test: tests[index % tests.length],
        key: `key-${index}`,
      }))
      const run = async (some: typeof all): Promise<Coverage> => {
        const api = await start({ sandbox: true, requestLog: { rows: 2 } })
        for (const { test, key } of some) {
          await test?.(api, key)
          api.mock.control.sandbox(key).reset()
          api.mock.control.removeSandbox(key)
        }
        return JSON.parse(JSON.stringify(api.mock.control.coverage()))
      }
      const shards = await Promise.all(
        [0, 1, 2, 3].map((shard) => run(all.filter((_, index) => index % 4 === shard))),
      )
      const whole = await run(all)
      expect(whole.requests).toBe(56)
      expect(mergeCoverage(shards)).toEqual(whole)
    })
  },
  ['direct'],
)
