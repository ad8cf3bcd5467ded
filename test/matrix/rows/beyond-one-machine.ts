// Places beyond one process that take long to try: wrangler's development server, and HAProxy in front of several servers.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createClient } from '../../worker/http.ts'
import { NotInstalled, type Project } from '../project.ts'
import type { Group } from '../row.ts'

const WRANGLER = '4.158.0'
const WRANGLER_PORT = 7_841
const PROXY_PORT = 7_830
const START_MS = 60_000

export const beyondOneMachine: readonly Group[] = [
  {
    isHeavy: true,
    packages: [`wrangler@${WRANGLER}`],
    manifest: { type: 'module' },
    prepare(project) {
      for (const file of ['worker.js', 'wrangler.jsonc']) project.copy(`examples/workers/${file}`)
    },
    rows: [{ environment: 'wrangler dev, Node 22', version: WRANGLER, check: useWrangler }],
  },
  {
    isHeavy: true,
    packages: [],
    manifest: { type: 'module' },
    prepare: (project) => project.copy('examples/haproxy/haproxy.cfg'),
    rows: [{ environment: 'HAProxy', version: "Debian's", check: useHaproxy }],
  },
]

async function useWrangler(project: Project): Promise<void> {
  const node = await project.node('22')
  const command = [join(project.folder, 'node_modules/wrangler/bin/wrangler.js'), 'dev', '--port', String(WRANGLER_PORT)]
  const env = { WRANGLER_SEND_METRICS: 'false', CI: '1' }
  await whileRunning([[node, command, env]], project, async (log) => {
    const client = createClient(() => WRANGLER_PORT)
    await until(async () => (await client.ask({ path: '/v1/pets?limit=1', key: 'a-key' })).status === 200, log)
    expectText((await client.create('a-key', 'Rex')).text, '{"id":19,"name":"Rex","categoryId":1}')
    expectText(String((await client.ask({ path: '/v1/pets/19', key: 'another-key' })).status), '404')
  })
}

/** Checks that a key stays on its server, unless the server goes away. */
async function useHaproxy(project: Project): Promise<void> {
  const haproxy = findHaproxy()
  const mock = join(project.folder, 'node_modules/animal-store-mock/bin/animal-store-mock.js')
  const serve = (port: string): Command => [process.execPath, [mock, '--sandbox', '--port', port, '--log', 'silent'], {}]
  await whileRunning([[haproxy, ['-f', 'haproxy.cfg'], {}], serve('7831'), serve('7832')], project, async (log, children) => {
    const client = createClient(() => PROXY_PORT)
    const keys = Array.from({ length: 40 }, (_, index) => `key+${index}/x`)
    // The proxy has to know of both: until then, keys of one go to the other.
    await until(async () => {
      for (let index = 0; index < 20; index++) await client.ask({ path: '/v1/pets?limit=1', key: `early-${index}` })
      const lists = [7_831, 7_832].map((port) => createClient(() => port).ask({ path: '/__mock/sandboxes' }))
      return (await Promise.all(lists)).every(({ text }) => text !== '[]')
    }, log)
    const sizeOf = async (port: number, key: string) => {
      const path = `/__mock/health?sandbox=${encodeURIComponent(key)}`
      return JSON.parse((await createClient(() => port).ask({ path })).text).pets as number
    }
    for (const key of keys) {
      await client.create(key, 'Rex')
      // The control API finds the same sandbox.
      expectText(String(await sizeOf(PROXY_PORT, key)), '19')
    }
    const first = await Promise.all(keys.map(async (key) => (await sizeOf(7_831, key)) === 19))
    if (first.every(Boolean) || !first.some(Boolean)) throw new Error('all keys are on one server')
    const [, gone] = children
    gone?.kill('SIGKILL')
    await until(async () => (await client.ask({ path: '/v1/pets?limit=1', key: keys[first.indexOf(true)] })).status === 200, log)
    for (const [index, key] of keys.entries()) expectText(String(await sizeOf(PROXY_PORT, key)), first[index] ? '18' : '19')
  })
}

function findHaproxy(): string {
  try {
    return execFileSync('sh', ['-c', 'command -v haproxy || ls /usr/sbin/haproxy'], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    throw new NotInstalled('There is no haproxy: apt-get install -y --no-install-recommends haproxy')
  }
}

type Command = readonly [file: string, args: readonly string[], env: Readonly<Record<string, string>>]

async function whileRunning(
  commands: readonly Command[],
  { folder }: Project,
  use: (log: () => string, children: readonly ChildProcess[]) => Promise<void>,
): Promise<void> {
  let output = ''
  const children = commands.map(([file, args, env]) => {
    // A group of its own, so that what it starts ends with it.
    const child = spawn(file, [...args], { cwd: folder, env: { ...process.env, NODE_OPTIONS: '', ...env }, detached: true })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
    return child
  })
  try {
    await use(() => output, children)
  } finally {
    for (const { pid, exitCode, signalCode } of children) if (pid && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
  }
}

async function until(isReady: () => Promise<boolean>, log: () => string): Promise<void> {
  const deadline = performance.now() + START_MS
  while (!(await isReady().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`not ready after ${START_MS} ms\n${log()}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function expectText(text: string, expected: string): void {
  if (text !== expected) throw new Error(`expected ${expected}, got ${text}`)
}
