// Places beyond one process that take long to try: wrangler's development server, and HAProxy in
// front of several servers.
import { type ChildProcess, spawn } from 'node:child_process'
import { createClient } from '../worker/http.ts'
import { findNode, getProgram, type Project } from './project.ts'

const WRANGLER_PORT = 7_841
const PROXY_PORT = 7_830
const SERVERS = [7_831, 7_832]
const HAPROXY = '/usr/sbin/haproxy'
const START_MS = 60_000

export async function useWrangler(project: Project): Promise<string> {
  const node = await findNode('22')
  const command = `"${node}/node" node_modules/wrangler/bin/wrangler.js dev --port ${WRANGLER_PORT}`
  return whileRunning([command], project, async (log) => {
    const client = createClient(() => WRANGLER_PORT)
    await until(
      async () => (await client.ask({ path: '/v1/pets?limit=1', key: 'a-key' })).status === 200,
      log,
    )
    expectText((await client.create('a-key', 'Rex')).text, '{"id":19,"name":"Rex","categoryId":1}')
    expectText(
      String((await client.ask({ path: '/v1/pets/19', key: 'another-key' })).status),
      '404',
    )
  })
}

/** Checks that a key stays on its server, unless the server goes away. */
export async function useHaproxy(project: Project): Promise<string> {
  await getProgram(HAPROXY, 'haproxy')
  const serve = (port: number) =>
    `node node_modules/animal-store-mock/bin/animal-store-mock.js --sandbox --log silent --port ${port}`
  return whileRunning(
    [`${HAPROXY} -f haproxy.cfg`, ...SERVERS.map(serve)],
    project,
    async (log, [, gone]) => {
      const client = createClient(() => PROXY_PORT)
      const keys = Array.from({ length: 40 }, (_, index) => `key+${index}/x`)
      // The proxy has to know of both: until then, keys of one go to the other.
      await until(async () => {
        for (let index = 0; index < 20; index++)
          await client.ask({ path: '/v1/pets?limit=1', key: `early-${index}` })
        const lists = SERVERS.map((port) =>
          createClient(() => port).ask({ path: '/__mock/sandboxes' }),
        )
        return (await Promise.all(lists)).every(({ text }) => text !== '[]')
      }, log)
      const sizeOf = async (port: number, key: string) => {
        const path = `/__mock/health?sandbox=${encodeURIComponent(key)}`
        return String(JSON.parse((await createClient(() => port).ask({ path })).text).pets)
      }
      for (const key of keys) {
        await client.create(key, 'Rex')
        // The control API finds the same sandbox.
        expectText(await sizeOf(PROXY_PORT, key), '19')
      }
      const first = await Promise.all(
        keys.map(async (key) => (await sizeOf(SERVERS[0] ?? 0, key)) === '19'),
      )
      if (first.every(Boolean) || !first.some(Boolean))
        throw new Error('all keys are on one server')
      end(gone)
      await until(
        async () =>
          (await client.ask({ path: '/v1/pets?limit=1', key: keys[first.indexOf(true)] }))
            .status === 200,
        log,
      )
      for (const [index, key] of keys.entries())
        expectText(await sizeOf(PROXY_PORT, key), first[index] ? '18' : '19')
    },
  )
}

/**
 * Runs commands, each in a separate group so that what it starts ends with it; returns what they
 * printed.
 */
async function whileRunning(
  commands: readonly string[],
  { folder }: Project,
  use: (log: () => string, children: readonly ChildProcess[]) => Promise<void>,
): Promise<string> {
  let output = ''
  const env = { ...process.env, NODE_OPTIONS: '', WRANGLER_SEND_METRICS: 'false', CI: '1' }
  const children = commands.map((command) => {
    const child = spawn('sh', ['-c', command], { cwd: folder, env, detached: true })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => (output += chunk))
    return child
  })
  try {
    await use(() => output, children)
    return output
  } finally {
    children.forEach(end)
  }
}

function end(child: ChildProcess | undefined): void {
  if (child?.pid && child.exitCode === null && child.signalCode === null)
    process.kill(-child.pid, 'SIGKILL')
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
