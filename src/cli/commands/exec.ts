// `exec`: runs a command next to a mock.
import { join } from 'node:path'
import { toJsonText } from '../../contract/escape.ts'
import { describeRequests } from '../../control/rows/describe-request.ts'
import { checkWritable, PRIVATE, PUBLIC, replaceFile } from '../../hosts/node/replace-file.ts'
import { isRecordingFile } from '../../world/row.ts'
import { defineCommand, group, mockNotes } from '../lib/flags.ts'
import { notify, printError } from '../lib/output.ts'
import { flagsBeside, runCommand, takesCommand } from '../lib/run-command.ts'
import { type Running, startMock } from '../lib/start-mock.ts'

const outputFlags = group('Output', {
  coverage: {
    syntax: '--coverage <file>',
    help: "write the command's API coverage to a file",
  },
  record: {
    syntax: '--record <file|folder>',
    help: 'write a recording of the run: this .jsonl file, or exec.jsonl in a folder',
  },
})

export const execCommand = defineCommand({
  summary: 'run a command next to a mock on a free port',
  ...takesCommand,
  flags: { ...flagsBeside, ...outputFlags },
  examples: [
    'exec -- npm test',
    'exec --scenario flaky --coverage coverage/store.json --record run.jsonl -- ' +
      'npx playwright test',
  ],
  notes: [
    'The command finds the mock by ANIMAL_STORE_URL; exec returns its exit code.',
    'If it fails, its last requests go to stderr.',
    ...mockNotes,
  ],
  async run(given, command) {
    const { coverage, record: asked, ...flags } = given
    const record = asked === undefined ? undefined : nameRecording(asked)
    // A wrong path must not cost a test run.
    for (const file of [coverage, record]) if (file !== undefined) await checkWritable(file)
    const running = await startMock({ ...flags, port: flags.port ?? 0 }, process.stderr)
    const code = await runCommand(command, flags, running, { stdio: 'inherit' })
    process.exitCode = code
    if (code !== 0 && flags.log === 'silent') printRequests(command, running)
    const { control } = running.mock
    // Also if the command failed. Only now has every response ended.
    if (coverage !== undefined) {
      await replaceFile(coverage, toJsonText(control.coverage()), PUBLIC)
      notify(`wrote ${coverage}: animal-store-mock coverage ${coverage}`)
    }
    if (record !== undefined) {
      await replaceFile(record, control.recording({ sandbox: '*' }), PRIVATE)
      notify(`wrote ${record}: animal-store-mock open ${record}`)
    }
  },
})

function nameRecording(fileOrFolder: string): string {
  return isRecordingFile(fileOrFolder) ? fileOrFolder : join(fileOrFolder, 'exec.jsonl')
}

function printRequests(command: readonly string[], { mock, serving }: Running): void {
  const rows = mock.control.timeline({ sandbox: '*', limit: Number.MAX_SAFE_INTEGER })
  const place = `The mock was at ${serving.url}.`
  printError(`${describeRequests(command.join(' '), rows, place)}\n`)
}
