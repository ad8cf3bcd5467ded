// The mock and its model, for many lifetimes: through the real server and its control API, and through MSW in Node.
import { afterAll, beforeAll, it } from 'vitest'
import { driveMsw, driveServer, msw } from '../support/model-drivers.ts'
import { live } from '../support/model-life.ts'

beforeAll(() => msw.listen({ onUnhandledRequest: 'error' }))
afterAll(() => msw.close())

it('does as the reference model does, through the server and its control API', () => live('lives on the server', 500, driveServer))

// Fewer than on the server: a call takes longer here, and the engine behind it is the same.
it('does as the reference model does, through MSW and the control', () => live('lives in MSW', 200, driveMsw))
