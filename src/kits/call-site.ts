// Where a test calls a kit, so that an error points at the line of the test and not at a bundle of ours.
import { isUsageError } from '../contract/errors.ts'

const MAX_FRAMES = 50

/** The stack frames of the caller, without those of this package and of the runner. */
export function findCallSite(): string {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = MAX_FRAMES
  const [own = '', ...frames] = (new Error().stack ?? '').split('\n').slice(1)
  Error.stackTraceLimit = limit
  const home = /[^\s(]*[\\/](?:dist|src[\\/]kits)[\\/]/.exec(own)?.[0] ?? own
  return keepOwnFrames(frames.filter((frame) => !frame.includes(home)))
}

/** Of stack frames, those of the test itself. */
export function keepOwnFrames(frames: readonly string[]): string {
  return frames.filter((frame) => !/node_modules|node:|\(<anonymous>\)/.test(frame)).join('\n')
}

/** An error that points at the call site. Without one it has no stack, since a runner would show our code. */
export function failAt(callSite: string, problem: string): Error {
  return setStack(callSite, new Error(problem))
}

function setStack(callSite: string, error: Error): Error {
  return Object.assign(error, { stack: `${error.name}: ${error.message}\n${callSite}`.trimEnd() })
}

/** Lets a UsageError of `run`, or of its promise, point at the line that called the kit. */
export function atCallSite<T>(run: () => T, callSite = findCallSite()): T {
  const explain = (error: unknown): never => {
    throw isUsageError(error) ? setStack(callSite, error) : error
  }
  try {
    const result = run()
    return result instanceof Promise ? (result.catch(explain) as T) : result
  } catch (error) {
    return explain(error)
  }
}
