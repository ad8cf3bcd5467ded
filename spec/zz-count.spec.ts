import fc from 'fast-check'
import { createMock } from '/work/main/src/index.ts'
import { startOn, Dropped } from '/work/main/spec/hosts.ts'
import { ask, scenario } from '/work/main/spec/requests.ts'
import { it } from 'vitest'
it('x', async () => {
  const api = await startOn('direct', createMock())
  const counts: Record<string, number> = {}
  let n = 0
  await fc.assert(fc.asyncProperty(scenario, fc.array(ask, { minLength: 6, maxLength: 12, size: 'max' }), async (s, asks) => {
    api.mock.control.load(s)
    for (const a of asks) { n++; const r = await api.ask(a).then((x) => x.status, (e) => { if (e instanceof Dropped) return 0; throw e }); counts[r] = (counts[r] ?? 0) + 1 }
  }), { numRuns: 300 })
  console.log(n, counts)
}, 60000)
