// The timeline against a mock that took only the steps before. RUNS_FACTOR multiplies the runs.
import { it } from 'vitest'
import { checkProperty } from '../support/property.ts'
import { rewinds, snapshots } from './timeline.ts'

it('after a rewind, the state and what follows are as if nothing had happened since', () =>
  checkProperty('rewinds', 50, rewinds))

it('the state before a request gives the same response in another mock', () =>
  checkProperty('snapshots', 50, snapshots))
