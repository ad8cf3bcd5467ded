// workerd with the mutants of the worker, in the place of test/support/workerd.ts: the active mutant is written into what it loads, and what
// it has reached is asked of it.
import { readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import {
  DEPLOYED,
  type LaunchOptions,
  launch as launchPlain,
  MANY_DEPLOYMENTS,
  startWorkerd as startPlain,
  type Workerd,
  type WorkerdOptions,
} from '../support/workerd.ts'

export { MANY_DEPLOYMENTS, type Workerd, type WorkerdOptions } from '../support/workerd.ts'

type Reached = Readonly<Record<string, number>>

const BUNDLES = 'MUTATED_WORKER'
const REACHED_PATH = '/mutants-reached'

/** The runner and the tests have a copy of this module each. */
const shared = globalThis as {
  __stryker__?: { readonly activeMutant?: string | undefined }
  /** Those that are running, and what was reached by those that have ended. */
  __workerds__?: { readonly running: Set<Workerd>; ended: Reached[] }
}
shared.__workerds__ ??= { running: new Set(), ended: [] }
const { __workerds__: workerds } = shared

/** What is reached while it loads is told again and again: any test may notice it. */
const toEntry = (entry: string) => `import * as entry from ${JSON.stringify(entry)}
const { reached: loaded } = globalThis.__stryker__
export default {
  fetch(request, env) {
    if (new URL(request.url).pathname !== '${REACHED_PATH}') return entry.default.fetch(request, env)
    const { reached } = globalThis.__stryker__
    globalThis.__stryker__.reached = {}
    return Response.json({ ...loaded, ...reached })
  },
}
export const { World } = entry
`

/** Bundles the worker in both of the ways in which tests start it. */
export async function buildMutatedWorker(root: string, texts: ReadonlyMap<string, string>, folder: string): Promise<void> {
  for (const entry of [DEPLOYED, MANY_DEPLOYMENTS]) {
    await build({
      input: 'mutants',
      external: [/^cloudflare:/],
      platform: 'browser',
      plugins: [
        {
          name: 'mutants',
          resolveId: (source) => (source === 'mutants' ? source : null),
          load(id) {
            if (id === 'mutants') return { code: toEntry(entry), moduleType: 'js' }
            const code = texts.get(id.slice(root.length))
            return code === undefined ? null : { code, moduleType: 'ts' }
          },
        },
      ],
      output: { file: toBundle(folder, entry), format: 'esm', codeSplitting: false },
      logLevel: 'silent',
    })
  }
  process.env[BUNDLES] = folder
}

function toBundle(folder: string, entry: string): string {
  return join(folder, `${basename(entry)}.bundle.js`)
}

/** This file, where a test or what it uses asks for workerd. */
export function toStandIn(source: string, importer: string | undefined): string | null {
  const own = fileURLToPath(import.meta.url)
  return /(?:^|\/)workerd\.ts$/.test(source) && importer !== own ? own : null
}

async function bundle(entry: string, file: string): Promise<void> {
  const { activeMutant } = shared.__stryker__ ?? {}
  const text = readFileSync(toBundle(process.env[BUNDLES] as string, entry), 'utf8')
  writeFileSync(file, `globalThis.__stryker__ = ${JSON.stringify({ reached: {}, activeMutant })}\n${text}`)
}

export async function startWorkerd(options: WorkerdOptions = {}): Promise<Workerd> {
  return attend(await startPlain({ ...options, bundle }))
}

export async function launch(folder: string, options?: LaunchOptions): Promise<Workerd> {
  return attend(await launchPlain(folder, options))
}

function attend(workerd: Workerd): Workerd {
  const leave = async () => {
    if (!workerds.running.delete(workerd)) return
    workerds.ended.push(await askReached(workerd))
  }
  workerds.running.add(workerd)
  return {
    ...workerd,
    async kill() {
      await leave()
      await workerd.kill()
    },
    async stop() {
      await leave()
      await workerd.stop()
    },
  }
}

/** What all of them have reached since this was last asked. */
export async function takeReachedInWorkers(): Promise<readonly Reached[]> {
  const { ended } = workerds
  workerds.ended = []
  return [...ended, ...(await Promise.all([...workerds.running].map(askReached)))]
}

/** Nothing of one that has ended by itself. */
function askReached({ port }: Workerd): Promise<Reached> {
  if (shared.__stryker__?.activeMutant !== undefined) return Promise.resolve({})
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: REACHED_PATH, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve(JSON.parse(text) as Reached))
    }).on('error', () => resolve({}))
  })
}
