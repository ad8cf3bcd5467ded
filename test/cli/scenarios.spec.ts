// Commands around scenario files, and waiting for a mock.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createFolder, start } from '../support/cli-process.ts'
import { runHere } from '../support/run-here.ts'

it('scenarios new writes a valid template, and never overwrites a file', async () => {
  const cwd = createFolder()
  expect((await runHere(['scenarios', 'new'], { cwd })).code).toBe(0)
  expect((await runHere(['scenarios', 'new', 'below/other.yaml'], { cwd })).code).toBe(0)
  expect(readFileSync(join(cwd, 'below/other.yaml'), 'utf8')).toContain(
    '$schema=../node_modules/animal-store-mock/fixtures/scenario.schema.json',
  )
  expect(
    (await runHere(['scenarios', 'check', 'scenario.yaml', 'below/other.yaml'], { cwd })).stdout,
  ).toMatch(/ok, 2 animals\n.*ok, 2 animals/)
  // Its comments are examples that work.
  const whole = readFileSync(join(cwd, 'scenario.yaml'), 'utf8').replace(
    /^# (?!yaml-language)/gm,
    '',
  )
  const { parse } = await import('yaml')
  const { expandScenario } = await import('../../src/scenario/expand.ts')
  const { scenarios } = await import('../../src/scenario/shipped.ts')
  expect(expandScenario(parse(whole), scenarios.default)).toMatchObject({
    faults: [{}, {}, {}],
    latency: [20, 80],
  })
  const again = await runHere(['scenarios', 'new'], { cwd })
  expect([again.code, again.stderr]).toEqual([
    2,
    'animal-store-mock: scenario.yaml: the file exists already\n',
  ])
})

it('status --wait waits until a mock responds or the time is over', async () => {
  const port = '7391'
  const waiting = runHere(['status', '--wait', '30s', '--port', port])
  const mock = start(['--port', port, '--scenario', 'single'])
  onTestFinished(() => void mock.stop())
  expect((await waiting).stdout).toMatch(/^Scenario {3}single$/m)
  const late = await runHere(['status', '--wait', '150ms', '--port', '9'])
  expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('No mock responds')])
  expect((await runHere(['status', '--wait', 'soon'])).stderr).toContain('expected a duration')
})
