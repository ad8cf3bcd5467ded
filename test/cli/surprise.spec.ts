// `surprise` on clients that rely on accidents, each with one planted mistake, and on a client that does not.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { parseJson } from '../../src/contract/int64-json.ts'
import { createMock, type Mock, type Pet } from '../../src/index.ts'
import { kinds } from '../../src/surprise/kinds.ts'
import { draw, type Surprise } from '../../src/surprise/setting.ts'
import { createFolder, runCli, start, startCli } from '../support/cli-process.ts'

/** A command that runs a client, which fails by throwing. */
const client = (script: string) => [
  process.execPath,
  '--input-type=module',
  '-e',
  `const headers = { authorization: 'Bearer k', 'content-type': 'application/json' }
   const send = (path, body) => fetch(process.env.ANIMAL_STORE_URL + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
   const check = (isRight) => { if (!isRight) throw new Error('broken') }
   ${script}`,
]

/** The first seed with these surprises on, and those off. */
function seedWith(on: readonly string[], off: readonly string[], setting: Omit<Surprise, 'seed'>): number {
  for (let seed = 1; ; seed++) {
    const isOn = (label: string) => draw({ seed, ...setting }, label) !== undefined
    if (on.every(isOn) && !off.some(isOn)) return seed
  }
}

interface Planted {
  readonly mistake: string
  readonly script: string
  /** The surprise to blame, and others that would break it too. */
  readonly label: string
  readonly others?: readonly string[]
  readonly flags?: readonly string[]
}

const planted: readonly Planted[] = [
  {
    mistake: 'takes the first of a list as the newest',
    script: `for (const name of ['Ada', 'Bob']) {
      await send('/pets', { name, categoryId: 1 })
      check((await (await send('/pets')).json())[0].name === name)
    }`,
    label: 'order@listPets#2',
    others: ['order@listPets#1'],
    flags: ['--assume', 'list-order=newest-first'],
  },
  {
    mistake: 'rounds ids',
    script: `for (const { id } of await (await send('/pets?limit=3')).json()) check((await send('/pets/' + id)).ok)`,
    label: 'big-ids',
  },
  {
    mistake: 'compares the code of an error exactly',
    script: `check((await (await send('/pets/404')).json()).code === 'NotFound')`,
    label: 'error-words@getPet?petId=404#1',
  },
  {
    mistake: 'parses with a strict schema',
    script: `const known = ['id', 'name', 'categoryId', 'status']
      for (const pet of await (await send('/pets')).json()) check(Object.keys(pet).every((key) => known.includes(key)))`,
    label: 'extra-field@listPets#1',
  },
  {
    mistake: 'counts on twenty animals',
    script: `check((await (await send('/pets')).json()).length === 20)`,
    label: 'short-page@listPets#1',
    flags: ['--kinds', 'all', '--count', '30'],
  },
  {
    mistake: 'compares raw JSON text',
    script: `const sent = { name: 'Rex', categoryId: 1 }
      const { id } = await (await send('/pets', sent)).json()
      check((await (await send('/pets/' + id)).text()) === JSON.stringify({ id, ...sent }))`,
    label: 'json-spelling@getPet?petId=19#1',
    others: ['big-ids', 'extra-field@getPet?petId=19#1'],
  },
]

describe('surprise find', () => {
  it.each(planted)('blames the right surprise where a client $mistake', async ({ script, label, others = [], flags = [] }) => {
    const seed = seedWith([label], others, flags.includes('all') ? { kinds: ['all'] } : {})
    const { code, stdout, stderr } = await runCli(['surprise', 'find', '--seed', String(seed), ...flags, '--', ...client(script)])
    const kind = label.split('@')[0] as keyof typeof kinds
    expect([code, stdout.split('\n').slice(1, 2)], stderr).toEqual([
      1,
      [`A client may not rely on ${kinds[kind].relied} (${kinds[kind].legal}).`],
    ])
    expect(stdout).toContain(`--surprise ${seed} --only ${/[?]/.test(label) ? `'${label}'` : label} -- `)
    expect(stderr.match(/^run \d+/gm)?.length ?? 0).toBeLessThanOrEqual(27)
  })

  it('says so if the seed breaks nothing, and refuses to start without one', async () => {
    const passes = await runCli(['surprise', 'find', '--seed', '1', '--', process.execPath, '-e', '0'])
    expect(passes).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('Seed 1 does not break the command') })
    expect(await runCli(['surprise', 'find', '--', process.execPath, '-e', '0'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--seed is required'),
    })
  })

  it('names the replay, which breaks the command again', async () => {
    const { script, label } = planted[3] as Planted
    const seed = seedWith([label], [], {})
    const replay = ['--surprise', String(seed), '--only', label]
    expect((await runCli(['exec', ...replay, '--', ...client(script)])).code).toBe(1)
    expect((await runCli(['exec', '--surprise', String(seed), '--only', 'delay', '--', ...client(script)])).code).toBe(0)
  })
})

describe('surprise run', () => {
  it('tries seeds, and says how to go on with one that breaks the command', async () => {
    const { script, label } = planted[3] as Planted
    const seed = seedWith([label], [], {})
    const { code, stdout, stderr } = await runCli(['surprise', 'run', '--seeds', String(seed), '--', ...client(script)])
    expect(code).toBe(1)
    const rows = stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split(/ +/))
    expect(rows.map(([one, result]) => [one, result])).toEqual(
      Array.from({ length: seed }, (_, index) => [String(index + 1), index + 1 === seed ? 'broken' : 'ok']),
    )
    expect(stderr).toContain(`surprise find --seed ${seed} -- `)
  })

  it('stops at a command that fails without surprises, or only sometimes', async () => {
    const fails = await runCli(['surprise', 'run', '--', process.execPath, '-e', 'process.exit(3)'])
    expect(fails).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('flaky without surprises') })
    const file = JSON.stringify(join(createFolder(), 'ran'))
    const flaky = client(`const { existsSync, writeFileSync } = await import('node:fs')
      check(!existsSync(${file}))
      writeFileSync(${file}, '')`)
    expect(await runCli(['surprise', 'run', '--', ...flaky])).toMatchObject({ code: 2, stderr: expect.stringContaining('flaky') })
  })

  it('stops when it is told to', async () => {
    const file = join(createFolder(), 'ran')
    const waits = `require('node:fs').writeFileSync(${JSON.stringify(file)}, ''); setInterval(() => {}, 1000)`
    const running = start(['surprise', 'run', '--', process.execPath, '-e', waits])
    await vi.waitUntil(() => existsSync(file), { timeout: 30_000 })
    expect(await running.stop('SIGTERM')).toMatchObject({ code: 2, stderr: expect.stringContaining('stopped') })
  })
})

describe('surprise', () => {
  it('lists every kind', async () => {
    const { stdout } = await runCli(['surprise'])
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(Object.keys(kinds))
  })

  it('shows its seed in the banner and its surprises in the log, and needs a seed', async () => {
    expect(await runCli(['exec', '--only', 'order', '--', process.execPath, '-e', '0'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--only needs a seed'),
    })
    const seed = String(seedWith(['order@listPets#1'], [], {}))
    const running = await startCli(['--surprise', seed])
    expect(running.stderr()).toContain(`  Surprises  seed ${seed}\n`)
    await fetch(`${running.url}/pets`, { headers: { authorization: 'Bearer k' } })
    await running.until('stdout', /surprise .*order@listPets#1/)
  })
})

describe('a tolerant client', () => {
  /** Reads ids exactly, ignores what it does not know, decides by statuses, finds animals by id. */
  async function use(mock: Mock): Promise<void> {
    const send = async (method: string, path: string, body?: object) => {
      const headers = { authorization: 'Bearer k', 'content-type': 'application/json' }
      const response = await mock.fetch(`/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
      return { status: response.status, body: parseJson(await response.text()) as unknown }
    }
    const { id } = (await send('POST', '/pets', { name: 'Rex', categoryId: 1, status: 'sold' })).body as Pet
    const listed = (await send('GET', '/pets?status=sold')).body as Pet[]
    const one = listed.find((pet) => pet.id === id)
    const isFound = one?.name === 'Rex' && ((await send('GET', `/pets/${id}`)).body as Pet).categoryId === 1
    const isRefused = (await send('POST', '/pets', {})).status === 400 && (await send('GET', '/pets/404')).status === 404
    const hasAll = ((await send('GET', '/pets')).body as Pet[]).length === 19
    if (!isFound || !isRefused || !hasAll) throw new Error('broken')
  }

  it('passes two hundred seeds', async () => {
    for (let seed = 1; seed <= 200; seed++) {
      await use(createMock({ surprise: { seed } })).catch(() => Promise.reject(new Error(`broken by seed ${seed}`)))
    }
  })
})
