// Where a test calls a kit, so that its errors point there.

const HOME = findHome()

/** The folder of this package, as a stack names it. */
function findHome(): string {
  const stack = new Error().stack ?? ''
  const found = /[^\s(]*[\\/](?:dist|src[\\/]kits)[\\/]/.exec(stack)
  return found ? found[0] : 'node_modules'
}

/** The frames of the test in a stack, without those of this package and of the runner. */
export function findCallSite(stack = new Error().stack ?? ''): string {
  const isOfTest = (frame: string) =>
    !frame.includes(HOME) && !/node_modules|node:|\(<anonymous>\)/.test(frame)
  return stack.split('\n').slice(1).filter(isOfTest).join('\n')
}

/**
 * Lets an error point at the call site. Without one it has no stack, since a runner would show our
 * code.
 */
export function pointAt(callSite: string, error: Error): Error {
  error.stack = `${error.name}: ${error.message}\n${callSite}`.trimEnd()
  return error
}
