// A mock with all that the flags ask for around it: its log, its ready file, its watch. What `serve` and `exec` share.
import { UsageError } from '../contract/errors.ts'
import type { Serving } from '../hosts/node/serve.ts'
import { createMock, type Mock, type MockOptions } from '../mock/mock.ts'
import { isScenarioFile } from '../scenario/scenario-file.ts'
import type { MockFlags } from './flags.ts'
import { createLineWriter, type LineStream } from './line-writer.ts'
import { listen } from './listen.ts'
import { type ColourTarget, hasColour, toJsonLine, toPrettyLine } from './log-line.ts'
import { toMockOptions } from './mock-options.ts'
import { note } from './say.ts'

export interface Running {
  readonly mock: Mock
  readonly options: MockOptions
  readonly serving: Serving
  /** Stops everything; what was logged is written. */
  stop(): Promise<void>
}

export interface LogSettings {
  readonly log: NonNullable<MockFlags['log']>
  /** Not called if nothing is logged. */
  readonly logTo: () => LineStream & ColourTarget
}

export async function startMock(flags: MockFlags, logging: LogSettings): Promise<Running> {
  if (flags.watch) checkWatchable(flags.scenario)
  const readyFile = flags.readyFile === undefined ? undefined : await (await import('./ready-file.ts')).createReadyFile(flags.readyFile)
  const options = await toMockOptions(flags)
  const mock = createMock(options)
  const watch = flags.watch ? await (await import('./watch-scenario.ts')).prepareWatch(flags.scenario, options) : undefined
  const stopLog = startLog(mock, logging)
  const serving = await listen(mock, flags)
  let stopWatch = () => {}
  const stop = async () => {
    readyFile?.remove()
    stopWatch()
    await serving.close()
    stopLog()
  }
  try {
    if (watch) stopWatch = watch(mock, note)
    await readyFile?.write(serving.url)
  } catch (error) {
    await stop()
    throw error
  }
  return { mock, options, serving, stop }
}

function checkWatchable(scenario: string): void {
  if (!isScenarioFile(scenario)) throw new UsageError('--watch needs a scenario file, e.g. --scenario ./situation.yaml')
}

function startLog(mock: Mock, { log, logTo }: LogSettings): () => void {
  if (log === 'silent') return () => {}
  const stream = logTo()
  const writer = createLineWriter(stream)
  const colour = hasColour(stream, process.env)
  const unsubscribe = mock.control.subscribe((event) => {
    if (event.type !== 'request') return
    const { entry } = event
    writer.add(() => (log === 'json' ? toJsonLine(entry) : toPrettyLine(entry, colour)))
  })
  process.once('exit', writer.flush)
  return () => {
    unsubscribe()
    writer.flush()
    process.off('exit', writer.flush)
  }
}
