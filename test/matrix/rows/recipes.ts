// Recipes of the documentation with tools that are too heavy for our own tests: their examples, from the packed package.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { NotInstalled, type Project } from '../project.ts'
import type { Group } from '../row.ts'

const VERSIONS = { next: '16.4.6', react: '19.3.1', bun: '1.4.4', deno: '2.9.6' }
const MSW = '2.15.0'

export const recipes: readonly Group[] = [
  {
    isHeavy: true,
    packages: [`next@${VERSIONS.next}`, `react@${VERSIONS.react}`, `react-dom@${VERSIONS.react}`],
    manifest: { type: 'module' },
    prepare: ({ copy }) => copy('examples/next', '.'),
    rows: [{ environment: 'Next.js, server components', version: VERSIONS.next, check: useNext }],
  },
  {
    isHeavy: true,
    packages: [`bun@${VERSIONS.bun}`, `msw@${MSW}`],
    manifest: { type: 'module' },
    prepare: ({ copy }) => copy('examples/bun', '.'),
    rows: [{ environment: 'Bun', version: `${VERSIONS.bun}, msw ${MSW}`, check: useBun }],
  },
  {
    isHeavy: true,
    packages: [`deno@${VERSIONS.deno}`, `msw@${MSW}`],
    manifest: { type: 'module' },
    prepare: ({ copy }) => copy('examples/deno', '.'),
    rows: [{ environment: 'Deno', version: `${VERSIONS.deno}, msw ${MSW}`, check: useDeno }],
  },
]

async function useNext({ folder, run }: Project): Promise<void> {
  const compiler = `@next/swc-${process.platform}-${process.arch}-gnu`
  if (!existsSync(join(folder, 'node_modules', compiler))) throw new NotInstalled(`there is no ${compiler}`)
  expectPassed(await run('npm', ['test'], { NEXT_TELEMETRY_DISABLED: '1' }), /^(#|ℹ) pass 2$/m)
}

async function useBun(project: Project): Promise<void> {
  // Puts the program in its place, as npm would, if scripts were allowed to run.
  await orNotInstalled(project.run(process.execPath, ['node_modules/bun/install.js']))
  await orNotInstalled(project.run('bun', ['--version']))
  expectPassed(await project.run('npm', ['test']), /^ *3 pass$/m)
}

async function useDeno(project: Project): Promise<void> {
  await orNotInstalled(project.run('deno', ['--version']))
  expectPassed(await project.run('npm', ['test']), /^ok \| 3 passed \| 0 failed/m)
}

async function orNotInstalled(trial: Promise<string>): Promise<void> {
  await trial.catch((error: Error) => Promise.reject(new NotInstalled(error.message)))
}

function expectPassed(output: string, summary: RegExp): void {
  if (!summary.test(output)) throw new Error(output)
}
