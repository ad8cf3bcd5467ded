// The mock and its model, for a lifetime: through MSW in Node, and the control's own methods for the tester's part.
import { afterAll, beforeAll, it } from 'vitest'
import { driveMsw, msw } from '../support/model-drivers.ts'
import { live } from '../support/model-life.ts'

beforeAll(() => msw.listen({ onUnhandledRequest: 'error' }))
afterAll(() => msw.close())

// Fewer than on the server: a call takes longer here, and the engine behind it is the same.
it('does as the reference model does, through MSW and the control', { timeout: 300_000 }, () => live('lives in MSW', 200, driveMsw))
