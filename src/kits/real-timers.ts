// The platform's own timers, taken once at load: a test's fake timers must not stop a matcher that waits. In Node from its module,
// since a runner can be set to fake the globals from the start.
type Timers = Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>

const builtIn = globalThis.process?.getBuiltinModule?.('node:timers') as Timers | undefined

export const { setTimeout, clearTimeout } = builtIn ?? globalThis
