// The commands for a mock that runs already, as a tester uses them from a second terminal.
import { describe, expect, it } from 'vitest'
import { middleware } from '../../src/hosts/node/middleware.ts'
import { createMock } from '../../src/mock/mock.ts'
import { ask, type Running, start, startCli } from '../support/cli-process.ts'
import { listen } from '../support/listen.ts'
import { runHere } from '../support/run-here.ts'

/** Runs commands one after the other against the mock, found by its variable. */
async function runAll(mock: Running, ...lines: readonly string[]): Promise<string[]> {
  const said: string[] = []
  for (const line of lines) {
    const { code, stdout, stderr } = await runHere(line.split(' '), {
      env: { ANIMAL_STORE_URL: mock.url },
    })
    said.push(code === 0 ? stdout : `${code} ${stderr}`)
  }
  return said
}

describe('a running mock', () => {
  it('has its earlier and later requests printed by requests --follow, until it stops', async () => {
    const mock = await startCli(['--log', 'silent'])
    await ask(`${mock.url}/pets?limit=1`)
    const url = mock.url.replace('/v1', '')
    const follower = start(['requests', '--follow', '--operation', 'listPets', '--url', url])
    const everything = start(['timeline', '--follow', '--json', '--url', url])
    await Promise.all([follower, everything].map(({ until }) => until('stdout', /limit=1.*\n/)))
    await ask(`${mock.url}/pets/1`)
    await ask(`${mock.url}/pets?limit=2`)
    await follower.until('stdout', /limit=2 .*\n/)
    await mock.stop()
    const { code, stdout, stderr } = await follower.ended
    expect([code, stderr]).toEqual([0, 'animal-store-mock: The mock has stopped\n'])
    expect(stdout).toMatch(
      /^\S+ #1 GET {2}\/v1\/pets\?limit=1 .*\n\S+ #3 GET {2}\/v1\/pets\?limit=2 .*\n$/,
    )
    const rows = (await everything.ended).stdout.trim().split('\n')
    expect(rows.map((row) => JSON.parse(row).type)).toEqual(['request', 'request', 'request'])
  })

  it('takes commands for one sandbox with --sandbox, and requires its control token', async () => {
    const mock = await startCli(['--sandbox', '--control-token', 'a-token-of-some-length'])
    expect(
      await runAll(
        mock,
        'seed empty --sandbox worker-1',
        'seed empty --sandbox worker-1 --control-token a-token-of-some-length',
      ),
    ).toEqual([
      expect.stringMatching(
        /^2 animal-store-mock: The control API requires its token; pass it with --control-token or ANIMAL_STORE_/,
      ),
      'Loaded empty (0 animals); `requests` starts again\n',
    ])
    const [one, other] = await Promise.all(
      ['worker-1', 'worker-2'].map((key) => ask(`${mock.url}/pets`, { key })),
    )
    expect([one?.json, other?.json]).toEqual([[], expect.arrayContaining([expect.anything()])])
    // The address wins over the port, which may be meant for another mock.
    const env = {
      ANIMAL_STORE_URL: mock.url,
      ANIMAL_STORE_PORT: '1',
      ANIMAL_STORE_CONTROL_TOKEN: 'a-token-of-some-length',
    }
    expect((await runHere(['status', '--sandbox', 'worker-1'], { env })).stdout).toMatch(
      /^Scenario {3}empty\nAnimals {4}0$/m,
    )
    const { ANIMAL_STORE_URL: _, ...others } = {
      ...env,
      ANIMAL_STORE_PORT: new URL(mock.url).port,
      ANIMAL_STORE_SANDBOX: '1',
    }
    expect((await runHere(['status', '--sandbox', 'worker-2'], { env: others })).stdout).toMatch(
      /^Animals {4}18 /m,
    )
  })
})

it.each([
  ['faults add createPet=503:2', ['POST /__mock/faults']],
  ['faults clear', ['DELETE /__mock/faults']],
  ['faults', ['GET /__mock/faults']],
  ['latency 200-800', ['PUT /__mock/latency']],
  ['assume invalid-query=clamp', ['PUT /__mock/assumptions']],
  ['clock advance 1d', ['PUT /__mock/clock']],
  ['reset', ['POST /__mock/reset']],
  ['snapshot', ['GET /__mock/state']],
])('%s sends one request', async (line, expected) => {
  const answer = middleware(createMock())
  const asked: string[] = []
  const url = await listen((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  const { code } = await runHere([...line.split(' '), '--url', url])
  expect([code, asked]).toEqual([0, expected])
})
