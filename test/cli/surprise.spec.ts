import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { draw, reasons } from '../../src/world/surprise.ts'
import { createFolder, runCli, startCli } from '../support/cli-process.ts'
import { client, type Planted, planted, seedWith } from '../support/planted-clients.ts'
import { runHere } from '../support/run-here.ts'

describe('surprise find', () => {
  it('says that a seed does not break the command, and requires a seed', async () => {
    const passes = await runHere(['surprise', 'find', '--surprise', '1', '--', 'true'])
    expect(passes).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('Seed 1 does not break the command'),
    })
    expect(await runHere(['surprise', 'find', '--', process.execPath, '-e', '0'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--surprise is required'),
    })
  })
})

describe('surprise run', () => {
  it('tries several seeds, and prints how to go on with one that breaks the command', async () => {
    const { script, label } = planted[0] as Planted
    const seed = seedWith(label)
    const { code, stdout, stderr } = await runHere([
      'surprise',
      'run',
      '--seed',
      '5',
      '--seeds',
      String(seed),
      '--',
      ...client(script),
    ])
    expect(code).toBe(1)
    const rows = stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split(/ +/))
    expect(rows.map(([one, result]) => [one, result])).toEqual(
      Array.from({ length: seed }, (_, index) => [
        String(index + 1),
        index + 1 === seed ? 'broken' : 'ok',
      ]),
    )
    expect(stderr).toContain(`surprise find --surprise ${seed}, with the same options`)
  })

  it('refuses a command that fails without surprises, always or sometimes', async () => {
    const fails = await runHere(['surprise', 'run', '--', 'sh', '-c', 'echo why; exit 3'])
    expect(fails).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^why$[\s\S]*failed without surprises/m),
    })
    const file = JSON.stringify(join(createFolder(), 'ran'))
    const flaky = client(`const { existsSync, writeFileSync } = await import('node:fs')
      check(!existsSync(${file}))
      writeFileSync(${file}, '')`)
    expect(await runHere(['surprise', 'run', '--', ...flaky])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('without surprises'),
    })
  })
})

describe('surprise', () => {
  it('lists every kind of surprise', async () => {
    const { stdout } = await runHere(['surprise'])
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(Object.keys(reasons))
  })

  it('shows its seed in the banner and each surprise in the log, and refuses --only without a seed', async () => {
    expect(
      await runHere(['exec', '--only', 'order', '--', process.execPath, '-e', '0']),
    ).toMatchObject({
      code: 125,
      stderr: expect.stringContaining('--only or ANIMAL_STORE_ONLY needs a seed'),
    })
    const seed = String(seedWith('order@listPets#1'))
    const running = await startCli(['--surprise', seed])
    expect(running.stderr()).toContain(`  Surprises  seed ${seed}\n`)
    await fetch(`${running.url}/pets`, { headers: { authorization: 'Bearer k' } })
    await running.until('stdout', /surprise .*order@listPets#1/)
  })
})

describe('--only', () => {
  const { script, label } = planted[0] as Planted
  const seed = String(seedWith(label))

  it('applies one surprise, so a command that it breaks fails, and passes with another kind', async () => {
    const other = label.replace(/^[^@]+/, 'media-type')
    const seeds = Array.from({ length: 1_000 }, (_, index) => index)
    const both = seeds.find((one) => [label, other].every((each) => draw({ seed: one }, each)))
    const run = (only: string) =>
      runCli(['exec', '--surprise', String(both), '--only', only, '--', ...client(script)])
    expect([(await run(label)).code, (await run(other)).code]).toEqual([1, 0])
  })

  it('is a mistake if no response had the surprise, or the seed never draws it', async () => {
    const passes = ['--', process.execPath, '-e', '0']
    expect(
      await runHere(['exec', '--surprise', seed, '--only', 'order@getPet', ...passes]),
    ).toMatchObject({ code: 125, stderr: expect.stringMatching(/--only: no .* order@getPet\n/) })
    expect(
      await runHere(['surprise', 'find', '--surprise', seed, '--only', 'order@getPet', ...passes]),
    ).toMatchObject({ code: 2, stderr: expect.stringMatching(/--only: no .* order@getPet\n/) })
    const other = [1, 2, 3].find((one) => !draw({ seed: one }, label))
    expect(
      await runHere(['exec', '--surprise', String(other), '--only', label, ...passes]),
    ).toMatchObject({ code: 125, stderr: expect.stringContaining(`seed ${other} has no surprise`) })
  })
})

it('surprise run prints one JSON document, and a JUnit report', async () => {
  const { script, label } = planted[0] as Planted
  const seed = seedWith(label)
  const file = join(createFolder(), 'report.xml')
  const { code, stdout } = await runHere([
    ...['surprise', 'run', '--surprise', String(seed), '--seeds', '1', '--json', '--junit', file],
    ...['--', ...client(script)],
  ])
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toEqual([
    { seed, result: 'broken', surprises: expect.arrayContaining([label]) },
  ])
  expect(readFileSync(file, 'utf8')).toContain(`name="seed ${seed}"><failure message="broken by`)
})
