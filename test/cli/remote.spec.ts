// The commands for a mock that runs already, as a tester uses them from a second terminal.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ask, createFolder, type Running, runCli, start, startCli } from '../support/cli-process.ts'

const PET = { name: 'Rex', categoryId: 1, status: 'available' }

/** Runs commands one after the other against the mock, found by its variable. */
async function runAll(mock: Running, ...lines: readonly string[]): Promise<string[]> {
  const said: string[] = []
  for (const line of lines) {
    const { code, stdout, stderr } = await runCli(line.split(' '), { env: { ANIMAL_STORE_URL: mock.url } })
    said.push(code === 0 ? stdout : `${code} ${stderr}`)
  }
  return said
}

describe('a running mock', () => {
  it('is seeded by name and by file, and reset', async () => {
    const file = join(createFolder(), 'two.yaml')
    writeFileSync(file, 'name: two\ngenerate: { count: 2, seed: 7 }\n')
    const mock = await startCli()
    expect(await runAll(mock, 'seed empty')).toEqual(['Loaded empty (0 animals) and cleared the requests\n'])
    expect((await ask(`${mock.url}/pets`)).json).toEqual([])
    expect(await runAll(mock, `seed ${file}`)).toEqual(['Loaded two (2 animals) and cleared the requests\n'])
    expect((await ask(`${mock.url}/pets`, { pet: PET })).json).toMatchObject({ id: 3 })
    expect(await runAll(mock, 'reset', 'seed nope')).toEqual([
      'Reset to two (2 animals)\n',
      expect.stringMatching(/^2 animal-store-mock: scenario: expected default, .*, or a file, got "nope"\n$/),
    ])
    expect((await ask(`${mock.url}/pets`)).json).toHaveLength(2)
  })

  it('keeps its world when a file is not in order, and every problem is named', async () => {
    const file = join(createFolder(), 'bad.json')
    writeFileSync(file, '{"pets":[{"id":1}]}')
    const mock = await startCli(['--scenario', 'single'])
    expect(await runAll(mock, `seed ${file}`)).toEqual([
      `2 animal-store-mock: ${file}: pets[0].name is required
animal-store-mock: ${file}: pets[0].categoryId is required
`,
    ])
    expect((await ask(`${mock.url}/pets`)).json).toHaveLength(1)
  })

  it.each(['json', 'yaml'])('gives a snapshot as %s that loads back into the same, by the name of its file', async (ending) => {
    const file = join(createFolder(), `world.${ending}`)
    const mock = await startCli(['--scenario', 'big-ids', '--now', '2030-12-06', '--frozen', '--fail', 'createPet=503:1'])
    await ask(`${mock.url}/pets`, { pet: PET })
    const [before, written] = await runAll(mock, 'snapshot', `snapshot -o ${file}`)
    expect(written).toMatch(/^Wrote \S+: world \(\d+ animals\)\n$/)
    const [loaded, after] = await runAll(mock, `seed ${file}`, 'snapshot')
    expect(loaded).toMatch(/^Loaded world \(\d+ animals\) and cleared the requests\n$/)
    expect(before).toContain('"name": "big-ids"')
    expect(after).toBe(before?.replace('"name": "big-ids"', '"name": "world"'))
    expect(await runAll(mock, 'status --diff')).toEqual(['No differences from world\n'])
    expect(before).toMatch(/"id": 9223372036854775\d{3},/)
    expect(readFileSync(file, 'utf8')).toMatch(/applied"?: 1/)
  })

  it('says what differs from its scenario, in words and as JSON', async () => {
    const mock = await startCli(['--scenario', 'single'])
    expect(await runAll(mock, 'status --diff')).toEqual(['No differences from single\n'])
    await ask(`${mock.url}/pets`, { pet: PET })
    const [words, json = ''] = await runAll(mock, 'status --diff', 'status --diff --json')
    expect(words).toMatch(/^Differences from single:\n {2}added {4}\d+ "Rex" \(available\)\n$/)
    expect(JSON.parse(json)).toMatchObject({
      scenario: 'single',
      pets: { added: [PET], changed: [], removed: [] },
      clock: null,
      assume: [],
    })
  })

  it('says why requests were refused, lists those of all sandboxes, and exports them', async () => {
    const mock = await startCli(['--sandbox'])
    await ask(`${mock.url}/pets`, { pet: { categoryId: 1 } })
    await ask(`${mock.url}/pets`, { key: 'gamma-key' })
    await ask(`${mock.url}/pets`, { key: 'invalid' })
    const [own, all, har = ''] = await runAll(mock, 'requests', 'requests --all', 'requests --all --har')
    expect(own).toMatch(/^\S+ GET {2}\/v1\/pets +401 .* listPets …alid .*\n$/)
    expect(all?.split('\n')).toEqual([
      expect.stringMatching(/^\S+ POST \/v1\/pets +400 .* createPet any-key name is required$/),
      expect.stringMatching(/^\S+ GET {2}\/v1\/pets +200 .* listPets gamma-key/),
      expect.stringMatching(/^\S+ GET {2}\/v1\/pets +401 .* listPets …alid /),
      '',
    ])
    const { log } = JSON.parse(har)
    expect(log).toMatchObject({ version: '1.2', entries: [{ request: { url: `${mock.url}/pets` }, response: { status: 400 } }, {}, {}] })
    expect(log.entries.map((entry: { _sandbox?: string }) => entry._sandbox)).toEqual(['any-key', 'gamma-key', undefined])
    expect(mock.stdout()).toContain('name is required')
    expect(await runAll(mock, 'requests --har --follow', 'requests --har --json', 'requests --all --sandbox k')).toEqual([
      '2 animal-store-mock: --har and --follow exclude each other: an archive has an end\n',
      '2 animal-store-mock: --har and --json exclude each other\n',
      '2 animal-store-mock: --all and --sandbox exclude each other\n',
    ])
  })

  it('shows, moves and stops its clock', async () => {
    const mock = await startCli(['--frozen', '--now', '2030-12-05'])
    expect(await runAll(mock, 'clock', 'clock advance P1DT1S', 'clock set 2031-01-01', 'clock advance -P1D', 'clock set never')).toEqual([
      '2030-12-05T00:00:00.000Z (frozen)\n',
      '2030-12-06T00:00:01.000Z (frozen)\n',
      '2031-01-01T00:00:00.000Z (frozen)\n',
      '2030-12-31T00:00:00.000Z (frozen)\n',
      '2 animal-store-mock: now: expected a date from 1970 to 9999, like 2030-12-06 or 2030-12-06T08:30:00Z, got "never"\n',
    ])
    expect((await ask(`${mock.url}/pets`)).headers.get('date')).toBe('Tue, 31 Dec 2030 00:00:00 GMT')
    expect(await runAll(mock, 'clock unfreeze', 'clock freeze')).toEqual([
      expect.stringMatching(/^2030-12-31T00:00:\S+Z\n$/),
      expect.stringMatching(/^2030-12-31T00:00:\S+Z \(frozen\)\n$/),
    ])
  })

  it('says what it was asked', async () => {
    const mock = await startCli()
    await ask(`${mock.url}/pets?limit=1`)
    await ask(`${mock.url}/pets`, { pet: { name: 'Rex' } })
    await ask(`${mock.url}/pets`, { pet: PET })
    const [all, created, failed, latest] = await runAll(
      mock,
      'requests',
      'requests --operation createPet --json',
      'requests --status 400 --method POST',
      'requests --limit 1',
    )
    expect(all?.split('\n')).toEqual([
      expect.stringMatching(/Z GET {2}\/v1\/pets\?limit=1 +200 \S+ ms listPets …-key/),
      expect.stringMatching(/Z POST \/v1\/pets +400 \S+ ms createPet …-key/),
      expect.stringMatching(/Z POST \/v1\/pets +201 \S+ ms createPet …-key/),
      '',
    ])
    const entries = (created ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(entries).toMatchObject([{ status: 400 }, { status: 201, request: { body: JSON.stringify(PET) } }])
    expect([failed?.split('\n').length, latest]).toEqual([2, expect.stringMatching(/ 201 /)])
  })

  it('is followed, from what it was asked before until it stops', async () => {
    const mock = await startCli(['--log', 'silent'])
    await ask(`${mock.url}/pets?limit=1`)
    const follower = start(['requests', '--follow', '--operation', 'listPets', '--url', mock.url.replace('/v1', '')])
    await follower.until('stdout', /limit=1 .*\n/)
    await ask(`${mock.url}/pets/1`)
    await ask(`${mock.url}/pets?limit=2`)
    await follower.until('stdout', /limit=2 .*\n/)
    await mock.stop()
    const { code, stdout, stderr } = await follower.ended
    expect([code, stderr]).toEqual([0, 'animal-store-mock: The mock has stopped\n'])
    expect(stdout).toMatch(/^\S+ GET {2}\/v1\/pets\?limit=1 .*\n\S+ GET {2}\/v1\/pets\?limit=2 .*\n$/)
  })

  it.each(['reset', 'load'])('is followed across a %s while its clock is frozen', async (change) => {
    const mock = await startCli(['--frozen', '--now', '2030-12-05', '--log', 'silent'])
    await ask(`${mock.url}/pets?limit=1`)
    const follower = start(['requests', '--follow', '--method', 'get', '--url', mock.url])
    await follower.until('stdout', /limit=1 .*\n/)
    await runAll(mock, change === 'reset' ? 'reset' : 'seed empty')
    await ask(`${mock.url}/pets?limit=2`)
    await ask(`${mock.url}/pets`, { pet: PET })
    await ask(`${mock.url}/pets?limit=3`)
    const stdout = await follower.until('stdout', /limit=3 .*\n/)
    expect(stdout.match(/[A-Z]+ +\/v1\/pets\S*/g)).toEqual(['GET  /v1/pets?limit=1', 'GET  /v1/pets?limit=2', 'GET  /v1/pets?limit=3'])
  })

  it('is followed into every new sandbox while its clock is frozen', async () => {
    const mock = await startCli(['--sandbox', '--frozen', '--log', 'silent'])
    await ask(`${mock.url}/pets`, { key: 'invalid' })
    const follower = start(['requests', '--follow', '--url', mock.url])
    await follower.until('stdout', /401 .*\n/)
    for (const key of ['worker-1', 'worker-2']) await ask(`${mock.url}/pets?worker=${key}`, { key })
    const stdout = await follower.until('stdout', /worker-2 .*\n/)
    expect(stdout.match(/(?<=worker=)worker-\d/g)).toEqual(['worker-1', 'worker-2'])
  })

  it('says how it is', async () => {
    const mock = await startCli([
      '--scenario',
      'flaky',
      '--assume',
      'paging=none,invalid-query=clamp',
      '--latency',
      '1-2',
      '--fail',
      'createPet=503:2',
    ])
    const [text, json] = await runAll(mock, 'status', 'status --json')
    expect(text).toMatch(
      /^Mock {6}http:\/\/127\.0\.0\.1:\d+\/v1 \(version 1\.0\.0\)\nScenario {2}flaky\nAnimals {3}\d+\nClock {5}\S+Z\nLatency {3}1–2 ms for every response\nFaults {4}\d\n {10}1: /,
    )
    expect(text).toMatch(
      /createPet responds 503, at most 2 times \(applied to 0 of 0 calls\)\n(?: {10}.*\n)*Assumes {3}invalid-query=clamp\n$/,
    )
    expect(JSON.parse(json as string)).toMatchObject({ scenario: 'flaky', latency: [1, 2], assume: { 'invalid-query': 'clamp' } })
    expect(Object.keys(JSON.parse(json as string).assume)).toEqual(['invalid-query'])
  })

  it.each([
    ['seed empty', 'existing ones keep their state; name one with --sandbox <key>'],
    ['requests', 'only requests without a valid key are listed here; name one with --sandbox <key>, or take --all'],
    ['clock', undefined],
    ['reset --sandbox worker-1', undefined],
    ['requests --sandbox worker-1', undefined],
  ])('with sandboxes says of "%s" what it means for them: %s', async (line, effect) => {
    const mock = await startCli(['--sandbox', '--log', 'silent'])
    for (const key of ['worker-1', 'invalid']) await ask(`${mock.url}/pets`, { key })
    const { code, stderr } = await runCli(line.split(' '), { env: { ANIMAL_STORE_URL: mock.url } })
    const note = effect && `animal-store-mock: Sandboxes are on: ${effect}\n`
    expect([code, stderr]).toEqual([0, note ?? ''])
  })

  it('with sandboxes says so in its status', async () => {
    const mock = await startCli(['--sandbox', '--log', 'silent'])
    await ask(`${mock.url}/pets`, { key: 'worker-1' })
    const [text, json] = await runAll(mock, 'status', 'status --json')
    expect(text).toMatch(/^Latency {3}none\n[\s\S]*\nSandboxes 1, one state per API key\n$/m)
    expect(JSON.parse(json as string)).toMatchObject({ sandboxes: 1 })
  })

  it('with sandboxes resets none that is not there, and says which it creates', async () => {
    const mock = await startCli(['--sandbox', '--log', 'silent'])
    await ask(`${mock.url}/pets`, { key: 'worker-1' })
    expect(await runAll(mock, 'reset --sandbox worker1', 'seed single --sandbox worker-2', 'reset --sandbox worker-2')).toEqual([
      '2 animal-store-mock: There is no sandbox "worker1"; did you mean worker-1?\n',
      'Created sandbox worker-2 with single (1 animal)\n',
      'Reset to single (1 animal)\n',
    ])
    const { json } = await ask(`${new URL(mock.url).origin}/__mock/sandboxes`)
    expect(json).toEqual(['worker-1', 'worker-2'])
  })

  it('has its sandboxes addressed one by one, and wants its token', async () => {
    const mock = await startCli(['--sandbox', '--control-token', 'a-token-of-some-length'])
    expect(
      await runAll(mock, 'seed empty --sandbox worker-1', 'seed empty --sandbox worker-1 --control-token a-token-of-some-length'),
    ).toEqual([
      '2 animal-store-mock: This mock requires its control token: pass it with --control-token or ANIMAL_STORE_CONTROL_TOKEN\n',
      'Created sandbox worker-1 with empty (0 animals)\n',
    ])
    const [one, other] = await Promise.all(['worker-1', 'worker-2'].map((key) => ask(`${mock.url}/pets`, { key })))
    expect([one?.json, other?.json]).toEqual([[], expect.arrayContaining([expect.anything()])])
    const env = { ANIMAL_STORE_URL: mock.url, ANIMAL_STORE_SANDBOX_KEY: 'worker-1', ANIMAL_STORE_CONTROL_TOKEN: 'a-token-of-some-length' }
    expect((await runCli(['status'], { env })).stdout).toMatch(/^Scenario {2}empty\nAnimals {3}0$/m)
    expect((await runCli(['status', '--sandbox', 'worker-2'], { env })).stdout).toMatch(/^Animals {3}18$/m)
  })
})
