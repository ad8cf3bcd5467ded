// Tools that read the contract: none has anything to say about it, and the clients that they make call the running mock.
import { join } from 'node:path'
import type { Project } from '../project.ts'
import type { Group } from '../row.ts'

const CONTRACT = 'node_modules/animal-store-mock/spec/openapi.yaml'
/** The newest of them need it. */
const NODE = '24'

/** The arguments of each tool. */
const TOOLS: Readonly<Record<string, { version: string; file: string; args: readonly string[] }>> = {
  'openapi-typescript': { version: '7.13.0', file: 'openapi-typescript/bin/cli.js', args: [CONTRACT, '-o', 'types.ts'] },
  '@hey-api/openapi-ts': {
    version: '0.99.0',
    file: '@hey-api/openapi-ts/bin/run.js',
    args: ['-i', CONTRACT, '-o', 'hey', '-c', '@hey-api/client-fetch'],
  },
  orval: { version: '8.38.0', file: '.bin/orval', args: ['--config', 'orval.config.mjs'] },
  'swagger-typescript-api': {
    version: '13.13.0',
    file: '.bin/swagger-typescript-api',
    args: ['generate', '-p', CONTRACT, '-o', 'swagger', '-n', 'api.ts'],
  },
}

export const generators: readonly Group[] = [
  {
    isHeavy: true,
    packages: [...Object.entries(TOOLS).map(([name, { version }]) => `${name}@${version}`), 'typescript@5.9.3', 'tsx@4.23.15'],
    manifest: { type: 'module' },
    prepare({ copy, write }) {
      copy('test/matrix/programs/generated.test.mjs')
      const fetch = { client: 'fetch', target: 'orval.ts', baseUrl: { runtime: 'process.env.ANIMAL_STORE_URL' } }
      write('orval.config.mjs', `export default ${JSON.stringify({ store: { input: CONTRACT, output: fetch } })}`)
    },
    rows: [
      ...Object.entries(TOOLS).map(([name, { version, file, args }]) => ({
        environment: `Generator, ${name}`,
        version,
        check: (project: Project) => generate(project, file, args),
      })),
      { environment: 'Generator, their clients', version: 'the running mock', check: callMock },
    ],
  },
]

async function generate({ folder, node, run }: Project, file: string, args: readonly string[]): Promise<void> {
  const program = await node(NODE)
  const output = await run(program, [join(folder, 'node_modules', file), ...args], { PATH: withNode(program) })
  if (/\b(warn|error|deprecated|unsupported)/i.test(output.replaceAll(folder, ''))) throw new Error(output)
}

async function callMock({ folder, node, run }: Project): Promise<void> {
  const program = await node(NODE)
  const tests = [program, join(folder, 'node_modules/tsx/dist/cli.mjs'), '--test', '--test-reporter=tap', 'generated.test.mjs']
  const output = await run(program, [join(folder, 'node_modules/animal-store-mock/bin/animal-store-mock.js'), 'exec', '--', ...tests])
  if (!/^# pass 4$/m.test(output)) throw new Error(output)
}

function withNode(program: string): string {
  return `${join(program, '..')}:${process.env.PATH}`
}
