// `exec`: runs a command next to a mock.
import { join } from 'node:path'
import { toJsonText } from '../../contract/escape.ts'
import { describeRequests } from '../../control/rows/describe-request.ts'
import { checkWritable, PRIVATE, PUBLIC, replaceFile } from '../../hosts/node/replace-file.ts'
import type { FlagValues } from '../../scenario/settings/flag.ts'
import { isRecordingFile } from '../../world/row.ts'
import { defineCommand } from '../lib/command.ts'
import { group, json, mockNotes } from '../lib/flags.ts'
import { complain, notify, print, printError } from '../lib/output.ts'
import { commandMockFlags, runCommand, takesCommand } from '../lib/run-command.ts'
import { showLink } from '../lib/share-link.ts'
import { quoteWord } from '../lib/shell-word.ts'
import { type Running, startMock } from '../lib/start-mock.ts'
import { checkOnly, collectSurprises, explainUnmatched } from '../lib/surprises.ts'

/** As `env` and `docker run` do. */
const MISTAKE_CODE = 125

const outputFlags = group('Output', {
  coverage: {
    syntax: '--coverage <file>',
    help: "write the command's API coverage to a file",
  },
  record: {
    syntax: '--record <file|folder>',
    help: 'write a recording of the run: this .jsonl file, or exec.jsonl in a folder',
  },
  link: {
    syntax: '--link',
    help: 'if the command fails, print a link to a recording, or write a file if it is long',
  },
  json: {
    ...json,
    help: 'print the exit code and the timeline as JSON; the command prints to stderr',
  },
})

const flags = { ...commandMockFlags, ...outputFlags }

export const execCommand = defineCommand({
  summary: 'run a command next to a mock on a free port',
  ...takesCommand,
  mistakeCode: MISTAKE_CODE,
  flags,
  examples: [
    'exec -- npm test',
    'exec --scenario flaky --coverage coverage/store.json --record run.jsonl -- ' +
      'npx playwright test',
  ],
  notes: [
    'The command finds the mock by ANIMAL_STORE_URL; exec returns its exit code.',
    'If it fails, its last requests go to stderr.',
    `Exit code ${MISTAKE_CODE} for a mistake of exec, 126 if the command cannot be run, ` +
      '127 if there is none.',
    ...mockNotes,
  ],
  run,
})

async function run(given: FlagValues<typeof flags>, command: readonly string[]): Promise<void> {
  const { coverage, record: asked, link = false, json: isJson = false, ...mockFlags } = given
  const record = asked === undefined ? undefined : nameRecording(asked)
  // A wrong path must not cost a test run.
  for (const file of [coverage, record]) {
    if (file !== undefined) await checkWritable(file)
  }
  checkOnly(mockFlags)
  const running = await startMock({ ...mockFlags, port: mockFlags.port ?? 0 }, process.stderr)
  const { control } = running.mock
  const surprises = collectSurprises(control, mockFlags)
  const stdout = isJson ? process.stderr : 'inherit'
  const stdio = ['inherit', stdout, 'inherit'] as const
  const options = { stdio: [...stdio], env: surprises.env, isShown: true }
  const { code, isStarted } = await runCommand(command, mockFlags, running, options)
  const unmatched = explainUnmatched(mockFlags, surprises.read())
  surprises.end()
  if (!isStarted) {
    process.exitCode = code
    return
  }

  if (unmatched !== undefined) complain(unmatched)
  process.exitCode = code === 0 && unmatched !== undefined ? MISTAKE_CODE : code
  if (isJson) await printResult(command, code, running)
  else if (code !== 0 && mockFlags.log === 'silent') printRequests(command, running)
  // Also if the command failed. Only now has every response ended.
  if (coverage !== undefined) {
    await replaceFile(coverage, toJsonText(control.coverage()), PUBLIC)
    notify(`wrote ${coverage}: animal-store-mock coverage ${quoteWord(coverage)}`)
  }
  if (record !== undefined) {
    await replaceFile(record, control.recording({ sandbox: '*' }), PRIVATE)
    notify(`wrote ${record}: animal-store-mock open ${quoteWord(record)}`)
  }
  if (link && process.exitCode !== 0) {
    const { player } = mockFlags
    await showLink(control.recording({ sandbox: '*' }), { player, file: record })
  }
}

function nameRecording(fileOrFolder: string): string {
  return isRecordingFile(fileOrFolder) ? fileOrFolder : join(fileOrFolder, 'exec.jsonl')
}

function listRows({ mock }: Running) {
  return mock.control.timeline({ sandbox: '*', limit: Number.MAX_SAFE_INTEGER })
}

function printRequests(command: readonly string[], running: Running): void {
  const place = `The mock was at ${running.serving.url}.`
  printError(`${describeRequests(command.join(' '), listRows(running), place)}\n`)
}

function printResult(command: readonly string[], code: number, running: Running): Promise<void> {
  const { url } = running.serving
  return print(toJsonText({ command, code, url, timeline: listRows(running) }))
}
