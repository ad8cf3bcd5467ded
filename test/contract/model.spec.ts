// The mock and its model, for a lifetime: through the real server, and its control API for the tester's part.
import { it } from 'vitest'
import { driveServer } from '../support/model-drivers.ts'
import { live } from '../support/model-life.ts'

it('does as the reference model does, through the server and its control API', { timeout: 300_000 }, () =>
  live('lives on the server', 500, driveServer),
)
