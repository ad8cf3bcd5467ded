// Jest with each of its transformers, in Node and in jsdom: examples/jest, with the lines that the documentation gives.
import type { Project } from '../project.ts'
import type { Group, Row } from '../row.ts'

const TRANSFORMERS: Readonly<Record<string, unknown>> = {
  babel: 'babel-jest',
  swc: '@swc/jest',
  'ts-jest': ['ts-jest', { tsconfig: { allowJs: true, esModuleInterop: true } }],
}

export const jest: readonly Group[] = ['29.7.0', '30.5.2'].map((version) => ({
  packages: [
    `jest@${version}`,
    `babel-jest@${version}`,
    `jest-environment-jsdom@${version}`,
    `@types/jest@${version.split('.')[0]}`,
    'jest-fixed-jsdom@0.0.11',
    'msw@2.15.0',
    '@babel/preset-env@7',
    '@swc/core@1',
    '@swc/jest@0.2',
    'ts-jest@29',
    'typescript@5.9.3',
  ],
  prepare(project) {
    for (const file of ['babel.config.js', 'jest.config.js', 'pets.test.js', 'serve.test.js', 'sold-out.yaml'])
      project.copy(`examples/jest/${file}`)
  },
  rows: Object.keys(TRANSFORMERS).flatMap((transformer) =>
    ['node', 'jsdom'].map((environment) => toRow(version, transformer, environment)),
  ),
}))

function toRow(version: string, transformer: string, environment: string): Row {
  return { environment: `Jest, ${transformer}, ${environment}`, version, check: (project) => runJest(project, transformer, environment) }
}

async function runJest({ copy, write, run }: Project, transformer: string, environment: string): Promise<void> {
  const config = `${transformer}-${environment}.config.js`
  const transform = { '\\.m?[jt]sx?$': TRANSFORMERS[transformer] }
  // ts-jest checks the types of what it transforms.
  if (transformer === 'ts-jest') copy('examples/jest/pets.test.js', 'typed.test.ts')
  const change = `transform: ${JSON.stringify(transform)}, testEnvironment: '${environment === 'jsdom' ? 'jest-fixed-jsdom' : 'node'}'`
  write(config, `module.exports = { ...require('./jest.config.js'), ${change} }`)
  const output = await run('jest', ['--config', config, transformer === 'ts-jest' ? 'serve|typed' : 'serve|pets'])
  if (!/^Tests: +3 passed, 3 total$/m.test(output)) throw new Error(output)
  // The server does without jsdom's fix too.
  if (environment === 'jsdom') await run('jest', ['--config', config, '--env', 'jsdom', 'serve'])
}
