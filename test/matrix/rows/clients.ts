// Clients that take a fetch, tools that wait for a server to be ready, and CI with and without them.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Project } from '../project.ts'
import type { Group } from '../row.ts'

const WAITING = { 'start-server-and-test': '3.0.12', 'wait-on': '9.5.1' }

export const clients: readonly Group[] = [
  {
    packages: ['openapi-fetch@0.17.0', 'ky@2.1.0', 'axios@1.21.1'],
    manifest: { type: 'module' },
    prepare: ({ copy }) => copy('test/matrix/programs/clients.test.mjs'),
    rows: [
      {
        environment: 'createFetch',
        version: 'node:test, openapi-fetch, ky, axios',
        async check({ run }) {
          const output = await run(process.execPath, ['--test', '--test-reporter=tap'])
          if (!/^# pass 4$/m.test(output)) throw new Error(output)
        },
      },
    ],
  },
  {
    packages: Object.entries(WAITING).map(([name, version]) => `${name}@${version}`),
    prepare: ({ copy }) => copy('examples/ci', '.'),
    rows: [
      { environment: 'start-server-and-test', version: WAITING['start-server-and-test'], check: startServerAndTest },
      { environment: 'wait-on', version: WAITING['wait-on'], check: waitOn },
      { environment: 'CI, exec', version: 'examples/ci', check: (project) => runJob(project, 'exec') },
      { environment: 'CI, wait-on', version: 'examples/ci', check: (project) => runJob(project, 'wait-on') },
    ],
  },
]

/** What answers a waiting tool, and what does not: the API itself has nothing at its root. */
const READY = ['/', '/__mock/health']
const NEVER = '/v1'

async function startServerAndTest({ run, freePort }: Project): Promise<void> {
  for (const path of READY) {
    const port = await freePort()
    await run('start-server-and-test', [`animal-store-mock --port ${port}`, `http://127.0.0.1:${port}${path}`, 'node -p 1'])
  }
  const port = await freePort()
  const waiting = run('start-server-and-test', [`animal-store-mock --port ${port}`, `http://127.0.0.1:${port}${NEVER}`, 'node -p 1'], {
    WAIT_ON_TIMEOUT: '4000',
  })
  await expectFailure(waiting)
}

async function waitOn({ run }: Project): Promise<void> {
  const within = (command: string) => run('animal-store-mock', ['exec', '--', 'sh', '-c', command])
  const origin = '$(echo $ANIMAL_STORE_URL | sed s,/v1$,,)'
  for (const path of READY) await within(`wait-on --timeout 20000 ${origin}${path}`)
  await within(`wait-on --timeout 20000 http-get://$(echo $ANIMAL_STORE_URL | sed 's,http://,,; s,/v1$,,')/`)
  await expectFailure(within(`wait-on --timeout 4000 ${origin}${NEVER}`))
}

interface Job {
  readonly env?: Readonly<Record<string, string>>
  readonly steps: readonly { readonly run?: string }[]
}

/** The commands of a job, as a runner of GitHub runs them: what one leaves in the background goes on until the job ends. */
async function runJob({ run, freePort }: Project, name: string): Promise<void> {
  const text = readFileSync(new URL('../../../examples/ci/workflow.yaml', import.meta.url), 'utf8')
  const { jobs } = parse(text.replaceAll('7387', String(await freePort()))) as { jobs: Readonly<Record<string, Job>> }
  const { env = {}, steps } = jobs[name] as Job
  // Everything is installed.
  const commands = steps.flatMap((step) => (step.run === undefined || step.run === 'npm ci' ? [] : [step.run]))
  const atEnd = `trap 'code=$?; trap "" TERM; kill 0; exit $code' EXIT`
  const output = await run('setsid', ['--wait', 'sh', '-ec', [atEnd, ...commands].join('\n')], env)
  if (!/^(#|ℹ) pass 1$/m.test(output)) throw new Error(output)
}

async function expectFailure(waiting: Promise<string>): Promise<void> {
  const output = await waiting.catch(() => undefined)
  if (output !== undefined) throw new Error(`expected it to wait in vain:\n${output}`)
}
