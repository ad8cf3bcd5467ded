// Where a test calls a kit, so that an error that comes later points at the line of the test and not at a bundle of ours.

const MAX_FRAMES = 50

/** The stack frames of the caller, without those of this package and of the runner. */
export function findCallSite(): string {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = MAX_FRAMES
  const [own = '', ...frames] = (new Error().stack ?? '').split('\n').slice(1)
  Error.stackTraceLimit = limit
  const home = /[^\s(]*[\\/](?:dist|src[\\/]kits)[\\/]/.exec(own)?.[0] ?? own
  return frames.filter((frame) => !frame.includes(home) && !/node_modules|node:|<anonymous>/.test(frame)).join('\n')
}

/** An error that points at the call site. Without one it has no stack, since a runner would show our code. */
export function failAt(callSite: string, problem: string): Error {
  return Object.assign(new Error(problem), { stack: `Error: ${problem}\n${callSite}`.trimEnd() })
}
