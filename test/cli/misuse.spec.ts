// Misuse that only a process can show; the other cases are in transcripts/mistakes.txt.
import { expect, it } from 'vitest'
import { runCli } from '../support/cli-process.ts'
import { runHere } from '../support/run-here.ts'

it('the command line names a version of Node that is too old, in one line', async () => {
  const pretend =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })"
  const { code, stdout, stderr } = await runCli(['--version'], {
    nodeArgs: ['--import', `data:text/javascript,${pretend}`],
  })
  expect([code, stdout, stderr]).toEqual([
    2,
    '',
    'animal-store-mock: Node 20.19 or newer is required, this is 18.20.8\n',
  ])
})

it('the command line escapes the control characters of an unknown command', async () => {
  const { code, stderr } = await runHere(['\u001b[2J\u202e'])
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^animal-store-mock: unknown command [ -~]*\n$/),
  ])
})
