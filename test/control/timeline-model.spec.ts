// The timeline against a mock that took only the steps before; test/long has many more.
import { it } from 'vitest'
import { checkProperty } from '../support/property.ts'
import { rewinds, snapshots } from '../support/timeline-model.ts'

it('after a rewind, the state and what follows are as if nothing had happened since', () => checkProperty('rewinds', 100, rewinds))

it('the state before a request gives the same response in another mock', () => checkProperty('snapshots', 100, snapshots))
