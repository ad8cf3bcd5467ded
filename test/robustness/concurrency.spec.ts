// Many clients at once: every creation has an id of its own, and a world that is replaced is never seen half.
import assert from 'node:assert/strict'
import { expect, it } from 'vitest'
import { startCli } from '../support/cli-process.ts'
import { createRawClient, type RawClient } from '../support/raw-client.ts'

const KEY = ['Authorization', 'Bearer load-key'] as const
const JSON_TYPE = ['Content-Type', 'application/json'] as const

async function start(flags: readonly string[]) {
  const running = await startCli([...flags, '--log', 'silent'])
  const banner = running.stderr()
  const port = Number(new URL(running.url).port)
  return {
    open: (count: number): RawClient[] => Array.from({ length: count }, () => createRawClient(port)),
    /** It lives, and has said nothing since it started. */
    check() {
      expect(running.child.exitCode).toBeNull()
      expect([running.stdout(), running.stderr()]).toEqual(['', banner])
    },
  }
}

it('gives 5,000 creations on 200 connections 5,000 ids, and all of them can be read', { timeout: 60_000 }, async () => {
  const { open, check } = await start(['--scenario', 'empty'])
  const clients = open(200)
  const texts = new Map<number, string>()
  await Promise.all(
    clients.map(async (client, socket) => {
      for (let turn = 0; turn < 25; turn++) {
        const sent = { name: `${socket}/${turn}`, categoryId: socket }
        const { status, text } = await client.ask({ method: 'POST', fields: [KEY, JSON_TYPE], body: JSON.stringify(sent) })
        const { id } = JSON.parse(text)
        assert.equal(status, 201)
        assert.equal(text, JSON.stringify({ id, ...sent }))
        assert.ok(!texts.has(id), `the id ${id} a second time`)
        texts.set(id, text)
      }
    }),
  )
  expect([...texts.keys()].sort((one, other) => one - other)).toEqual(Array.from({ length: 5_000 }, (_, index) => index + 1))
  const all = [...texts]
  await Promise.all(
    clients.map(async (client, socket) => {
      for (const [id, text] of all.slice(socket * 25, socket * 25 + 25)) {
        assert.equal((await client.ask({ target: `/v1/pets/${id}`, fields: [KEY] })).text, text)
      }
    }),
  )
  check()
  for (const client of clients) client.close()
})

/** A world in which every animal says which one it is. */
const world = (number: number) =>
  JSON.stringify({
    name: `world ${number}`,
    pets: Array.from({ length: 100 }, (_, index) => ({
      id: number * 1_000 + index,
      name: `of world ${number}`,
      categoryId: number,
      status: 'available',
    })),
  })

it('shows the old world or the new one, never both, through 200 reloads under load', { timeout: 60_000 }, async () => {
  const RELOADS = 200
  const { open, check } = await start(['--scenario', 'empty'])
  const [tester, ...clients] = open(51) as [RawClient, ...RawClient[]]
  const load = (body: string) => tester.ask({ method: 'PUT', target: '/__mock/state', fields: [JSON_TYPE], body })
  expect((await load(world(0))).status).toBe(200)

  let oldest = 0
  let newest = 0
  let isOver = false
  let lists = 0
  const seen = new Set<number>()
  const watch = async (client: RawClient, index: number) => {
    for (let turn = 0; !isOver; turn++) {
      const oldestBefore = oldest
      if ((turn + index) % 7 === 0) {
        const { status } = await client.ask({ method: 'POST', fields: [KEY, JSON_TYPE], body: '{"name":"in between","categoryId":-1}' })
        assert.equal(status, 201)
        continue
      }
      const query = index % 2 === 0 ? '?limit=100' : '?limit=100&status=available'
      const { status, text } = await client.ask({ target: `/v1/pets${query}`, fields: [KEY] })
      assert.equal(status, 200)
      const pets = JSON.parse(text) as { categoryId: number }[]
      const [number = -1, ...others] = new Set(pets.map(({ categoryId }) => categoryId))
      assert.deepEqual([pets.length, others], [100, []])
      // A world that was replaced before this was asked, or one that is yet to come, would be a ghost.
      assert.ok(number >= oldestBefore && number <= newest, `world ${number} while those from ${oldestBefore} to ${newest} may be there`)
      seen.add(number)
      lists++
    }
  }
  const watching = Promise.all(clients.map(watch))
  for (let reload = 1; reload <= RELOADS; reload++) {
    // A fifth of them have a flaw in their last animal, and must change nothing.
    const isBad = reload % 5 === 0
    if (!isBad) newest = reload
    const { status, text } = await load(isBad ? world(reload).replace(/"available"\}\]/, '"gone"}]') : world(reload))
    expect(status, text).toBe(isBad ? 400 : 200)
    if (!isBad) oldest = reload
  }
  isOver = true
  await watching
  console.log(`reloads under load: ${lists} lists of ${seen.size} worlds`)
  expect(seen.size).toBeGreaterThan(20)
  for (const number of seen) expect(number === 0 || number % 5 !== 0).toBe(true)
  check()
  for (const client of [tester, ...clients]) client.close()
})
