// Output that is not read to its end, as in `animal-store-mock --help | head -1`.
import { expect, it } from 'vitest'
import { start } from '../support/cli-process.ts'

it.each(['--help', 'scenarios', 'generate --count 1000'])('does not crash "%s"', async (line) => {
  const { child, ended } = start(line.split(' '))
  child.stdout?.destroy()
  expect(await ended).toEqual({ code: 0, stdout: '', stderr: '' })
})
