// Our server with a journal of a given length, which the command line has no flag for.
import { createMock } from '../dist/index.js'
import { serve } from '../dist/node.js'

const [port, entries] = process.argv.slice(2).map(Number)
await serve(createMock({ journal: { entries } }), { port })
