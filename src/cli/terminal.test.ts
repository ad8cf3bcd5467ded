import { expect, it, onTestFinished } from 'vitest'
import { isInteractive } from './say.ts'

it.each([
  [true, true, {}, true],
  [false, true, {}, false],
  [true, false, {}, false],
  [true, true, { CI: 'true' }, false],
  [true, true, { CI: '' }, true],
])('the terminal is interactive with stdin %j, stderr %j, in %j: %j', (stdin, stderr, environment, expected) => {
  const own = [process.stdin.isTTY, process.stderr.isTTY] as const
  onTestFinished(() => {
    ;[process.stdin.isTTY, process.stderr.isTTY] = own
  })
  process.stdin.isTTY = stdin
  process.stderr.isTTY = stderr
  expect(isInteractive(environment)).toBe(expected)
})
