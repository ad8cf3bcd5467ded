// A mock with all that the flags ask for around it: its log, its ready file, its watch. What `serve` and `exec` share.
import { UsageError } from '../contract/errors.ts'
import type { Serving } from '../hosts/node/serve.ts'
import { createMock, type Mock, type MockOptions } from '../mock.ts'
import { createLineWriter, type LineStream } from './line-writer.ts'
import { listen } from './listen.ts'
import { type ColourTarget, hasColour, toJsonLine, toPrettyLine } from './log-line.ts'
import { toMockOptions } from './mock-options.ts'
import { note } from './say.ts'
import type { ServeFlags } from './serve-flags.ts'

export interface Running {
  readonly mock: Mock
  readonly options: MockOptions
  readonly serving: Serving
  /** Stops everything; what was logged is written. */
  stop(): Promise<void>
}

type LogStream = LineStream & ColourTarget

/** Starts a mock; its log goes to the stream, which is not touched if nothing is logged. */
export async function startMock(flags: ServeFlags, logTo: () => LogStream): Promise<Running> {
  await checkTogether(flags)
  const writeReadyFile = flags.readyFile === undefined ? undefined : await prepare(flags.readyFile)
  const options = await toMockOptions(flags)
  const mock = createMock(options)
  const stopLog = flags.log === 'silent' ? () => {} : startLog(mock, flags.log, logTo())
  const serving = await listen(mock, flags)
  let stopWatch = () => {}
  const stop = async () => {
    stopWatch()
    await serving.close()
    stopLog()
  }
  try {
    if (flags.watch) stopWatch = (await import('./watch-scenario.ts')).watchScenario(flags.scenario, mock, options, note)
    await writeReadyFile?.(`${serving.url}\n`)
  } catch (error) {
    await stop()
    throw error
  }
  return { mock, options, serving, stop }
}

/** What flags allow one by one, but not together. */
async function checkTogether({ watch, scenario, open, control }: ServeFlags): Promise<void> {
  if (open && !control) throw new UsageError('--open needs the console: leave --no-control out')
  if (!watch) return
  const { isScenarioFile } = await import('../scenario/resolve.ts')
  if (!isScenarioFile(scenario)) throw new UsageError('--watch needs a file to watch: name one, as in --scenario ./situation.yaml')
}

/** Takes an earlier run's address away, and gives the way to write this one's. */
async function prepare(readyFile: string): Promise<(text: string) => Promise<void>> {
  const { removeOld, writeWhole } = await import('./write-whole.ts')
  await removeOld(readyFile)
  return (text) => writeWhole(readyFile, text)
}

function startLog(mock: Mock, style: 'pretty' | 'json', stream: LogStream): () => void {
  const writer = createLineWriter(stream)
  const colour = hasColour(stream, process.env)
  const unsubscribe = mock.control.subscribe((event) => {
    if (event.type !== 'exchange') return
    const { entry } = event
    writer.add(() => (style === 'json' ? toJsonLine(entry) : toPrettyLine(entry, colour)))
  })
  process.once('exit', writer.flush)
  return () => {
    unsubscribe()
    writer.flush()
    process.off('exit', writer.flush)
  }
}
