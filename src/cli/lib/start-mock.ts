// Starts a mock and its server as the flags say: for `serve`, `open`, `exec` and `mcp`.
import { rmSync } from 'node:fs'
import { constants } from 'node:os'
import { staysHere } from '../../contract/address.ts'
import { rethrow, UsageError } from '../../contract/errors.ts'
import { MAX_PERSISTED_BYTES } from '../../contract/limits.ts'
import type { Problem } from '../../contract/problem.ts'
import { withoutUndefined } from '../../contract/values.ts'
import type { Control } from '../../control/control.ts'
import { DEFAULT_PORT } from '../../control/protocol.ts'
import { type ServeOptions, type Serving, serve } from '../../hosts/node/serve.ts'
import { createEngine, type Mock } from '../../mock/mock.ts'
import {
  chooseLogSize,
  type MockOptions,
  mockSchemas,
  openStart,
  readMockOptions,
} from '../../mock/mock-options.ts'
import { DEFAULT_COUNT, DEFAULT_SEED } from '../../scenario/generate/settings.ts'
import { defaultScenario } from '../../scenario/generated/default-scenario.ts'
import { isScenarioFile } from '../../scenario/scenario-names.ts'
import { readSettings } from '../../scenario/settings/texts.ts'
import { createMemory } from '../../world/memory.ts'
import { createOrigin } from '../../world/state.ts'
import { type MockFlags, mockFlags } from './flags.ts'
import { startLog } from './log.ts'
import { notify } from './output.ts'

const MAX_PORTS_TRIED = 100

/** They stop a mock, and the command next to it. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

export type Running = Awaited<ReturnType<typeof startMock>>

/** The text of a recording, what it is called, and the row to go back to. */
export type ShownRecording = Readonly<{ text: string; file: string; at: number | undefined }>

/** The log goes to stderr if the command has another use for stdout. */
export async function startMock(
  flags: MockFlags,
  output: NodeJS.WriteStream,
  recording?: ShownRecording,
) {
  const { scenario, persist, readyFile } = flags
  if (flags.watch && !isScenarioFile(scenario))
    throw new UsageError('--watch needs a scenario file, e.g. --scenario ./scenario.yaml')
  if (readyFile !== undefined) await removeReadyFile(readyFile)
  const options = readOptions(flags, recording)
  const watch = flags.watch ? await watchScenario(scenario) : undefined
  const open = () => openStart({ ...options, scenario }, '', () => readBase(flags, watch?.follow))
  const start = await open()
  const origin = createOrigin(start)
  const memory = createMemory(persist === undefined ? undefined : MAX_PERSISTED_BYTES)
  const engine = createEngine({ ...options, origin }, undefined, memory)
  const { mock } = engine
  if (recording) await showRecording(mock.control, recording)
  let startedFrom = describeStart(mock.control, flags, origin.name)
  let stopSaving: (() => Promise<void>) | undefined
  if (persist !== undefined) {
    const { persistIn } = await import('./persist.ts')
    const { isResumed, stop } = await persistIn(persist, engine, memory)
    if (isResumed) startedFrom = `resumed from ${persist}; a reset returns to ${startedFrom}`
    stopSaving = stop
  }
  const stopLog = flags.log === 'silent' ? undefined : startLog(mock, flags.log, output)
  const serving = await listenOnFreePort(mock, flags)
  watch?.start(mock, open, start)
  if (readyFile !== undefined) await writeReadyFile(readyFile, serving.url)

  async function stop(): Promise<void> {
    watch?.stop()
    await serving.close()
    await stopSaving?.()
    stopLog?.()
  }

  // A token that the user set is not printed, since others read logs.
  const newToken = flags.controlToken === undefined ? serving.controlToken : undefined
  return { mock, serving, startedFrom, newToken, warning: findWarning(flags), stop }
}

function readOptions(flags: MockFlags, recording: ShownRecording | undefined): MockOptions {
  const { sandbox, corsOrigin: corsOrigins, player } = flags
  const given = { ...readSettings(flags), sandbox, corsOrigins, player }
  const options = readMockOptions<MockOptions>('', mockSchemas, given)
  if (!recording) return options
  return { ...options, requestLog: chooseLogSize(recording.text) }
}

async function watchScenario(file: string) {
  const { createWatch } = await import('../../hosts/node/watch-scenario.ts')
  return createWatch(file, notify)
}

async function removeReadyFile(file: string): Promise<void> {
  const { removeOld } = await import('../../hosts/node/replace-file.ts')
  await removeOld(file)
}

async function writeReadyFile(file: string, url: string): Promise<void> {
  const { PUBLIC, replaceFile } = await import('../../hosts/node/replace-file.ts')
  // World-readable: the address is not secret.
  const written = await replaceFile(file, `${url}\n`, PUBLIC)
  process.once('exit', () => rmSync(written, { force: true }))
}

async function showRecording(control: Control, recording: ShownRecording): Promise<void> {
  const { text, file, at } = recording
  await control.openRecording(text, { file })
  if (at === undefined) return
  const rows = control.timeline({ sandbox: '*', limit: Number.MAX_SAFE_INTEGER })
  const row = rows.find(({ id }) => id === at)
  const state = row?.sandbox ? control.sandbox(row.sandbox) : control
  state.rewind(at)
}

function describeStart(control: Control, flags: MockFlags, name: string): string {
  const { recording } = control.summary()
  if (recording) {
    const { file, version, madeAt } = recording
    return `the recording ${file}, made by version ${version} at ${madeAt}`
  }
  const seed = findSeed(flags)
  return seed === undefined ? name : `${name}, animals generated from seed ${seed}`
}

function findWarning({ host }: MockFlags): string | undefined {
  if (host === undefined || staysHere(host)) return undefined
  return 'other machines can reach this mock; omit --host to keep it local'
}

function findSeed({ seed, count }: MockFlags): number | undefined {
  if (seed === undefined && count !== undefined) return DEFAULT_SEED
  return seed
}

/** The default scenario is built in; everything else is loaded only if it is needed. */
async function readBase(flags: MockFlags, onFile?: (path: string) => void) {
  const base = await readScenario(flags.scenario, onFile)
  const seed = findSeed(flags)
  if (seed === undefined) return base
  const { expandChecked } = await import('../../scenario/expand.ts')
  const generate = { seed, count: flags.count ?? DEFAULT_COUNT }
  return { name: base.name as string, ...expandChecked({ generate }, base) }
}

async function readScenario(nameOrFile: string, onFile?: (path: string) => void) {
  if (nameOrFile === mockFlags.scenario.default) return defaultScenario
  const { findScenario } = await import('../../hosts/node/scenario-files.ts')
  return findScenario(nameOrFile, onFile)
}

async function listenOnFreePort(mock: Mock, flags: MockFlags): Promise<Serving> {
  const { port: asked, host, allowedHost: allowedHosts, control, controlToken } = flags
  const { compress, requestTimeout } = flags
  const given = { control, host, allowedHosts, controlToken, compress, requestTimeout }
  const options = withoutUndefined(given) as ServeOptions
  const last = asked ?? DEFAULT_PORT + MAX_PORTS_TRIED - 1
  for (let port = asked ?? DEFAULT_PORT; ; port++) {
    try {
      return await serve(mock, { ...options, port })
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!isTaken || port === last) rethrow(error, (problems) => problems.map(nameFlag))
    }
  }
}

/** The options of `serve` are named as the flags are. */
function nameFlag({ caller, ...problem }: Problem): Problem {
  const path = 'path' in problem ? `--${problem.path}` : undefined
  return withoutUndefined({ ...problem, path }) as Problem
}
