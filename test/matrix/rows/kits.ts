// The test kits in the runners that they are for: the examples, from the packed package.
import type { Group } from '../row.ts'

export const kits: readonly Group[] = [
  { vitest: '4.1.12', msw: '2.15.0', node: '20' },
  { vitest: '5.1.0', msw: '3.0.4', node: '22' },
].map(({ vitest: version, msw, node }) => ({
  packages: [`vitest@${version}`, 'vite@7.3.8', `msw@${msw}`],
  manifest: { type: 'module' },
  prepare({ copy }) {
    for (const file of ['pets.test.ts', 'concurrent.test.ts', 'vitest.config.ts']) copy(`examples/vitest/${file}`)
  },
  rows: [
    {
      environment: `Vitest kit, Node ${node}, msw ${msw}`,
      version,
      async check({ run, node: findNode }) {
        const output = await run(await findNode(node), ['node_modules/vitest/vitest.mjs', 'run'])
        if (!/Tests +4 passed/.test(output)) throw new Error(output)
      },
    },
  ],
}))
