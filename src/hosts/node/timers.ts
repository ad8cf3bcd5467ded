// The platform's timers, taken at load: a server must not stop with a test's fake timers, and jsdom has no setImmediate.
import * as timers from 'node:timers'

export const { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } = timers
