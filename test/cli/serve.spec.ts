// The mock as it is started from a terminal: what each flag does, what is printed where, and how it
// ends.
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ask, createFolder, startCli } from '../support/cli-process.ts'
import { runHere } from '../support/run-here.ts'

const namesOf = ({ json }: { json: unknown }) =>
  (json as { name: string }[]).map(({ name }) => name)

/** A request with this Host field. */
function askAs(host: string, url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { host, authorization: 'Bearer key' } }, (response) =>
      resolve(response.resume().statusCode),
    )
      .on('error', reject)
      .end()
  })
}

it('a mock that shows a recording starts at its end or before a row, says so, and leaves the file alone', async () => {
  const folder = createFolder()
  const file = join(folder, 'run.jsonl')
  const pet = { name: 'Rex', categoryId: 1 }
  const mock = await startCli(['--fail', 'createPet=503:1', '--now', '2030-01-01'])
  for (let turn = 0; turn < 2; turn++) await ask(`${mock.url}/pets`, { pet })
  expect((await runHere(['record', '-o', file, '--url', mock.url])).code).toBe(0)
  const text = readFileSync(file, 'utf8')
  const opened = await startCli(['open', file, '--at', '1', '--port', '0'], {}, [])
  expect(opened.stderr()).toContain(file)
  expect((await ask(`${opened.url}/pets`, { pet })).status).toBe(503)
  const fixture = await startCli(['--scenario', `${file}#2`])
  expect((await ask(`${fixture.url}/pets`, { pet })).status).toBe(201)
  expect(readFileSync(file, 'utf8')).toBe(text)
  const cut = join(folder, 'cut.jsonl')
  writeFileSync(cut, text.slice(0, -20))
  const refused = await runHere(['open', cut])
  expect([refused.code, refused.stderr.trim().split('\n')]).toEqual([
    2,
    [expect.stringContaining(`${cut}:${text.trimEnd().split('\n').length} `)],
  ])
})

describe('a mock that starts', () => {
  it('takes another port if the default one is in use, and says so', async () => {
    const blocker = createServer().listen(7387, '127.0.0.1')
    // Taken by someone else is just as good.
    await new Promise((resolve) => blocker.once('listening', resolve).once('error', resolve))
    onTestFinished(() => void blocker.close())
    const mock = await startCli([], {}, [])
    const { port } = new URL(mock.url)
    expect(Number(port)).toBeGreaterThan(7387)
    expect(mock.stderr()).toMatch(
      new RegExp(
        `^animal-store-mock: Port 7387 is in use; this mock is on ${port}, so other commands need --port ${port}\n`,
      ),
    )
  })

  it('writes its address to the ready file once it listens, and removes an old ready file before', async () => {
    const file = join(createFolder(), 'ready')
    writeFileSync(file, 'http://old.example/v1\n')
    const failed = await runHere(['--ready-file', file, '--scenario', 'nope'])
    expect([failed.code, existsSync(file)]).toEqual([2, false])
    const mock = await startCli(['--ready-file', file])
    expect(readFileSync(file, 'utf8')).toBe(`${mock.url}\n`)
  })

  it('removes the ready file when it stops, also after a second signal', async () => {
    const file = join(createFolder(), 'ready')
    const first = await startCli(['--ready-file', file])
    await first.stop()
    expect(existsSync(file)).toBe(false)
    const second = await startCli(['--ready-file', file])
    const half = request(`${second.url}/pets`, {
      method: 'POST',
      headers: { authorization: 'Bearer key', 'content-length': '10' },
    })
    half.on('error', () => {}).write('{')
    await new Promise((resolve) => half.once('socket', (socket) => socket.once('connect', resolve)))
    await ask(`${second.url}/pets`)
    second.child.kill('SIGINT')
    second.child.kill('SIGTERM')
    await second.ended
    expect(existsSync(file)).toBe(false)
  })

  it('warns if other machines can reach it, and requires a control token then', async () => {
    const mock = await startCli(['--host', '0.0.0.0'])
    const token = /Token {6}(\S+)/.exec(mock.stderr())?.[1] as string
    expect(mock.stderr()).toContain('Warning    other machines can reach this mock')
    const health = mock.url.replace('/v1', '/__mock/health')
    expect([(await ask(health)).status, (await ask(health, { key: token })).status]).toEqual([
      401, 200,
    ])
  })

  it('takes its flags from environment variables too', async () => {
    const mock = await startCli(['--scenario', 'single'], {
      env: {
        ANIMAL_STORE_API_KEY: 'one,two',
        ANIMAL_STORE_SCENARIO: 'empty',
        ANIMAL_STORE_SANDBOX: '0',
        ANIMAL_STORE_LOG: 'json',
      },
    })
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((key) => ask(`${mock.url}/pets`, { key })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401])
    expect(namesOf(answers[0] as { json: unknown })).toHaveLength(1)
    expect(mock.stderr()).not.toContain('Sandboxes')
    expect(JSON.parse((await mock.until('stdout', /\n/)).split('\n')[0] as string)).toMatchObject({
      operation: 'listPets',
    })
  })
})

describe('the state of a mock', () => {
  it('has the animals that generate prints for the same seed, also after a reload', async () => {
    const folder = createFolder()
    const file = join(folder, 'mine.yaml')
    writeFileSync(file, 'frozen: true\n')
    const mock = await startCli(
      ['--scenario', './mine.yaml', '--watch', '--seed', '7', '--count', '5'],
      { cwd: folder },
    )
    writeFileSync(file, 'frozen: false\n')
    await mock.until('stderr', /changed: replaced the state with 5 animals\n/)
    const printed = await runHere(['generate', '--seed', '7', '--count', '5'])
    expect(mock.stderr()).toContain('Scenario   mine, animals generated from seed 7\n')
    expect((await ask(`${mock.url}/pets`)).json).toEqual(JSON.parse(printed.stdout).pets)
  })
})

describe('a running mock', () => {
  it('behaves as its flags say', async () => {
    const mock = await startCli([
      ...[
        '--now',
        '2030-12-06',
        '--frozen',
        '--api-key',
        'qa-key,dev-key',
        '--sandbox',
        '--latency',
        '30',
        '--log',
        'json',
      ],
      ...['--fail', 'createPet=503:1', '--assume', 'invalid-query=clamp,error-codes=snake'],
      ...[
        '--cors-origin',
        'https://app.example.com',
        '--allowed-host',
        'mock.example.com',
        '--control-token',
        'a-token-of-some-length',
      ],
    ])
    expect(mock.stderr()).toMatch(
      /Clock {6}2030-12-06T00:00:00Z \(frozen\)\n {2}Latency {4}30 ms\n {2}Faults {5}1: createPet fails with 503, once\n {2}Assumes {4}invalid-query=clamp, error-codes=snake\n {2}Sandboxes/,
    )
    const pets = `${mock.url}/pets`
    const pet = { name: 'Rex', categoryId: 1 }
    const list = await ask(`${pets}?limit=1000`, {
      key: 'qa-key',
      headers: { origin: 'https://app.example.com' },
    })
    expect([
      list.status,
      list.headers.get('date'),
      list.headers.get('access-control-allow-origin'),
    ]).toEqual([200, 'Fri, 06 Dec 2030 00:00:00 GMT', 'https://app.example.com'])
    expect(await ask(pets, { key: 'other' })).toMatchObject({
      status: 401,
      json: { code: 'unauthorized' },
    })
    expect((await ask(`${pets}/1`, { key: 'qa-key' })).status).toBe(404)
    expect((await ask(pets, { key: 'qa-key', pet })).status).toBe(503)
    expect((await ask(pets, { key: 'qa-key', pet })).status).toBe(201)
    expect((await ask(pets, { key: 'dev-key', pet })).status).toBe(503)
    expect([await askAs('mock.example.com', pets), await askAs('evil.example.com', pets)]).toEqual([
      401, 403,
    ])
    const health = mock.url.replace('/v1', '/__mock/health')
    expect([
      (await ask(health, { key: 'a-token-of-some-length' })).status,
      (await ask(health)).status,
    ]).toEqual([200, 401])
    const lines = (await mock.until('stdout', /(.*\n){8}/)).trim().split('\n')
    expect(JSON.parse(lines[0] as string).durationMs).toBeGreaterThanOrEqual(29)
    expect(lines.join('')).not.toContain('qa-key')
  })

  it.skipIf(process.platform !== 'linux')(
    'opens the console with --open, and prints a note if there is no browser',
    async () => {
      const folder = createFolder()
      writeFileSync(
        join(folder, 'xdg-open'),
        `#!/bin/sh\nprintf %s "$1" > ${folder}/opened~ && mv ${folder}/opened~ ${folder}/opened\nexit 3\n`,
      )
      chmodSync(join(folder, 'xdg-open'), 0o755)
      const mock = await startCli(['--open'], { env: { PATH: `${folder}:${process.env.PATH}` } })
      const consoleUrl = mock.url.replace('/v1', '/__mock/')
      await mock.until('stderr', /no browser could be opened/)
      expect(readFileSync(join(folder, 'opened'), 'utf8')).toBe(consoleUrl)
      expect(mock.stderr()).toContain(
        `animal-store-mock: no browser could be opened with xdg-open: the console is at ${consoleUrl}\n`,
      )
      const without = await startCli(['--open'], { env: { PATH: folder.replace('cli', 'none') } })
      await without.until('stderr', /no browser could be opened with xdg-open/)
      expect((await ask(`${without.url}/pets`)).status).toBe(200)
    },
  )
})

describe('a mock that stops', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'on %s answers running requests, writes its log and exits with 0',
    async (signal) => {
      const mock = await startCli(['--latency', '60000'])
      const answer = ask(`${mock.url}/pets`, { pet: { name: 'Late', categoryId: 1 } })
      const health = mock.url.replace('/v1', '/__mock/health')
      while (((await ask(health)).json as { pets: number }).pets === 18)
        await new Promise((resolve) => setTimeout(resolve, 5))
      const { code, stdout } = await mock.stop(signal)
      expect([code, (await answer).status]).toEqual([0, 201])
      expect(stdout).toMatch(/^\S+Z #1 POST \/v1\/pets {17}201 \d+(\.\d)? ms createPet …-key.*\n$/)
    },
  )

  it('answers requests and exits with 0 although its output is not read', async () => {
    const mock = await startCli()
    mock.child.stdout?.destroy()
    mock.child.stderr?.destroy()
    for (let count = 0; count < 3; count++) expect((await ask(`${mock.url}/pets`)).status).toBe(200)
    mock.child.kill('SIGTERM')
    const code = await new Promise((resolve) => mock.child.once('exit', resolve))
    expect(code).toBe(0)
  })
})

it('--compress and --request-timeout reach the server; a timeout that is not a time is refused', async () => {
  const { url } = await startCli(['--compress', '--request-timeout', '1s'])
  const headers = { authorization: 'Bearer k', 'accept-encoding': 'gzip' }
  const { headers: received } = await fetch(`${url}/pets`, { headers })
  expect(received.get('content-encoding')).toBe('gzip')
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('GET /v1/pets HTTP/1.1\r\n')
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toContain('408')
  for (const value of ['soon', '0', '2d']) {
    const { code } = await runHere(['serve', '--port', '0', '--request-timeout', value])
    expect([value, code]).toEqual([value, 2])
  }
})

it('the default command loads no module of Node that only some mocks need', async () => {
  const preload = join(createFolder(), 'preload.cjs')
  const print = 'console.log(JSON.stringify(process.moduleLoadList))'
  writeFileSync(preload, `process.on('exit', () => ${print})`)
  const running = await startCli(['--log', 'silent'], { nodeArgs: ['--require', preload] })
  const { stdout } = await running.stop()
  const loaded: string[] = JSON.parse(stdout)
  const avoidable = ['crypto', 'fs/promises', 'readline', 'timers/promises', 'zlib']
  const found = avoidable.filter((name) => loaded.includes(`NativeModule ${name}`))
  expect(loaded).toContain('NativeModule http')
  expect(found).toEqual([])
})
