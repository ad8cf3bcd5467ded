// The mock and its reference model, held against each other for some lifetimes. RUNS_FACTOR multiplies them.
import { it } from 'vitest'
import { live } from './life.ts'

it('does as the reference model does, through the server and its control API', () => live(40))
