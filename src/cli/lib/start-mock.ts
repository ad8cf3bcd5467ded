import { rmSync } from 'node:fs'
import { constants } from 'node:os'
import { staysHere } from '../../contract/address.ts'
import { rethrow, UsageError } from '../../contract/errors.ts'
import { MAX_LOG_ROWS, MAX_PERSISTED_BYTES } from '../../contract/limits.ts'
import type { Problem } from '../../contract/problem.ts'
import { withoutUndefined } from '../../contract/values.ts'
import type { Control } from '../../control/control.ts'
import { DEFAULT_PORT } from '../../control/protocol.ts'
import { type ServeOptions, type Serving, serve } from '../../hosts/node/serve.ts'
import { createEngine, type Mock } from '../../mock/mock.ts'
import {
  type MockOptions,
  mockSchemas,
  openStart,
  readMockOptions,
} from '../../mock/mock-options.ts'
import { isScenarioFile } from '../../scenario/document.ts'
import { DEFAULT_COUNT, DEFAULT_SEED } from '../../scenario/generate/settings.ts'
import { defaultScenario } from '../../scenario/generated/default-scenario.ts'
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

type ShownRecording = {
  readonly text: string
  readonly file: string
  readonly at: number | undefined
}

/** The log goes to stderr if the command has another use for stdout. */
export async function startMock(
  flags: MockFlags,
  output: NodeJS.WriteStream,
  recording?: ShownRecording,
) {
  const { scenario, persist, readyFile, sandbox, corsOrigin: corsOrigins } = flags
  if (flags.watch && !isScenarioFile(scenario))
    throw new UsageError('--watch needs a scenario file, e.g. --scenario ./scenario.yaml')
  if (readyFile !== undefined)
    await (await import('../../hosts/node/replace-file.ts')).removeOld(readyFile)
  const seed = flags.seed ?? (flags.count === undefined ? undefined : DEFAULT_SEED)
  const options = readMockOptions<MockOptions>('', mockSchemas, {
    ...readSettings(flags),
    sandbox,
    corsOrigins,
  })
  const loadWatch = () => import('../../hosts/node/watch-scenario.ts')
  const watch = flags.watch ? (await loadWatch()).createWatch(scenario, notify) : undefined
  const open = () =>
    openStart({ ...options, scenario }, '', () => readBase(flags, seed, watch?.follow))
  const start = await open()
  const origin = createOrigin(start)
  const memory = createMemory(persist === undefined ? undefined : MAX_PERSISTED_BYTES)
  const requestLog = recording && {
    rows: Math.max(MAX_LOG_ROWS, recording.text.split('\n').length),
  }
  const engine = createEngine(
    { ...options, origin, ...(requestLog && { requestLog }) },
    undefined,
    memory,
  )
  const { mock } = engine
  if (recording) await openRecordingAt(mock.control, recording)
  const persisted = persist
    ? await (await import('./persist.ts')).persistIn(persist, engine, memory)
    : undefined
  const stopLog = flags.log === 'silent' ? undefined : startLog(mock, flags.log, output)
  const serving = await listenOnFreePort(mock, flags)
  watch?.start(mock, open, start)
  if (readyFile !== undefined) {
    // World-readable: the address is not secret.
    const { PUBLIC, replaceFile } = await import('../../hosts/node/replace-file.ts')
    const written = await replaceFile(readyFile, `${serving.url}\n`, PUBLIC)
    process.once('exit', () => rmSync(written, { force: true }))
  }
  async function stop(): Promise<void> {
    watch?.stop()
    await serving.close()
    await persisted?.stop()
    stopLog?.()
  }
  const { recording: shown } = mock.control.summary()
  const from = `${origin.loaded.name}${seed === undefined ? '' : `, animals generated from seed ${seed}`}`
  const resumed = persisted?.isResumed && `resumed from ${persist}; a reset returns to ${from}`
  const recorded =
    shown && `the recording ${shown.file}, made by version ${shown.version} at ${shown.madeAt}`
  // A token that the user set is not printed, since others read logs.
  const newToken = flags.controlToken === undefined ? serving.controlToken : undefined
  const isOpen = flags.host !== undefined && !staysHere(flags.host)
  const warning = isOpen
    ? 'other machines can reach this mock; omit --host to keep it local'
    : undefined
  return { mock, serving, startedFrom: recorded ?? (resumed || from), newToken, warning, stop }
}

async function openRecordingAt(
  control: Control,
  { text, file, at }: ShownRecording,
): Promise<void> {
  await control.openRecording(text, { file })
  if (at === undefined) return
  const row = control
    .timeline({ sandbox: '*', limit: Number.MAX_SAFE_INTEGER })
    .find(({ id }) => id === at)
  const state = row?.sandbox ? control.sandbox(row.sandbox) : control
  state.rewind(at)
}

/** The default scenario is built in; everything else is loaded only if it is needed. */
async function readBase(
  { scenario, count }: MockFlags,
  seed?: number,
  onFile?: (path: string) => void,
) {
  const isDefault = scenario === mockFlags.scenario.default
  const base = isDefault
    ? defaultScenario
    : await (await import('../../hosts/node/scenario-files.ts')).findScenario(scenario, onFile)
  if (seed === undefined) return base
  const { expandChecked } = await import('../../scenario/expand.ts')
  return {
    name: base.name as string,
    ...expandChecked({ generate: { seed, count: count ?? DEFAULT_COUNT } }, base),
  }
}

const nameFlag = ({ caller, ...one }: Problem) =>
  ('path' in one ? { ...one, path: `--${one.path}` } : one) as Problem

async function listenOnFreePort(mock: Mock, flags: MockFlags): Promise<Serving> {
  const { port: asked, host, allowedHost: allowedHosts, control, controlToken } = flags
  const options = withoutUndefined({ control, host, allowedHosts, controlToken }) as ServeOptions
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
