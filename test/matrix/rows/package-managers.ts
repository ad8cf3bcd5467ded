// Package managers that keep packages apart: the handlers must find the user's own msw, and npx must not wait for what it does not need.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Project } from '../project.ts'
import type { Group } from '../row.ts'

const MSW = '2.15.0'

export const packageManagers: readonly Group[] = [
  {
    packages: ['pnpm@10.34.8'],
    rows: [{ environment: 'pnpm, strict', version: `10, msw ${MSW}`, check: usePnpm }],
  },
  {
    isHeavy: true,
    packages: ['@yarnpkg/cli-dist@4.18.1'],
    rows: [{ environment: 'Yarn, Plug’n’Play', version: `4, msw ${MSW}`, check: useYarn }],
  },
]

async function usePnpm({ folder, tarball, run, copy, write }: Project): Promise<void> {
  prepare(folder, 'apart', { copy, write, tarball })
  const pnpm = join(folder, 'node_modules/.bin/pnpm')
  await run(pnpm, [
    '--dir',
    'apart',
    'install',
    '--ignore-scripts',
    '--config.node-linker=isolated',
    '--config.strict-peer-dependencies=true',
  ])
  await run(process.execPath, ['apart/imports.mjs'])
  await run(process.execPath, ['apart/imports.cjs'])
}

async function useYarn({ folder, tarball, run, copy, write }: Project): Promise<void> {
  prepare(folder, 'pnp', { copy, write, tarball })
  write('pnp/.yarnrc.yml', 'nodeLinker: pnp\nenableTelemetry: false\nenableScripts: false\n')
  write('pnp/yarn.lock', '')
  const yarn = join(folder, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js')
  const inside = (...args: string[]) => run(process.execPath, [yarn, '--cwd', 'pnp', ...args])
  await inside('install')
  // Not from CommonJS: there msw itself does not find its packages, some of which are ES modules.
  await inside('node', 'imports.mjs')
}

function prepare(folder: string, name: string, { copy, write, tarball }: Pick<Project, 'copy' | 'write' | 'tarball'>): void {
  mkdirSync(join(folder, name))
  const devDependencies = { 'animal-store-mock': `file:${tarball}`, msw: MSW }
  write(`${name}/package.json`, JSON.stringify({ name, private: true, type: 'module', devDependencies }))
  for (const file of ['imports.mjs', 'imports.cjs']) copy(`test/package/${file}`, `${name}/${file}`)
}
