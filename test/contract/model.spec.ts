// The mock and its model, for some lifetimes on the real server; test/long/model.spec.ts has more of them.
import { it } from 'vitest'
import { driveServer } from '../support/model-drivers.ts'
import { live } from '../support/model-life.ts'

it('does as the reference model does', { timeout: 120_000 }, () => live('lives on the server', 50, driveServer))
