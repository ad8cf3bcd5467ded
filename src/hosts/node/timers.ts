// The platform's timers, taken at load: a test's fake timers must not stop a server, and jsdom has no setImmediate.
import * as timers from 'node:timers'

export const { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } = timers
