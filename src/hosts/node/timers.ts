// The platform's own timers, taken once at load: a test's fake timers replace the globals (and a jsdom environment has no
// setImmediate), which must not stop a server.
import * as timers from 'node:timers'

export const { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } = timers
