// WebKitGTK's small browser on a display of its own, driven by plain WebDriver requests.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { getProgram } from '../debian.ts'
import { NotInstalled, type Project } from '../project.ts'
import type { Browser } from './browser.ts'

const DRIVER = '/usr/bin/WebKitWebDriver'
const DISPLAY = '/usr/bin/Xvfb'
const TIMEOUT_MS = 180_000

export async function launchWebKit({ freePort, folder }: Project): Promise<Browser> {
  await getProgram(DRIVER, ['webkit2gtk-driver'])
  await getProgram(DISPLAY, ['xvfb'])
  const binary = findMiniBrowser()
  const display = spawn(DISPLAY, ['-displayfd', '3', '-screen', '0', '1440x900x24'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const number = String((await once(display.stdio[3] as NonNullable<ChildProcess['stdout']>, 'data'))[0]).trim()
  const port = await freePort()
  // A home of its own, since service workers and the like are kept there.
  const env = {
    ...process.env,
    DISPLAY: `:${number}`,
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CACHE_HOME: folder,
    MESA_SHADER_CACHE_DISABLE: 'true',
  }
  const driver = spawn(DRIVER, [`--port=${port}`], { env, stdio: 'ignore' })
  const stop = () => {
    driver.kill()
    display.kill()
  }
  try {
    const ask = createAsk(`http://127.0.0.1:${port}`)
    await untilReady(ask)
    const alwaysMatch = { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } }
    const { sessionId } = (await ask('POST', '/session', { capabilities: { alwaysMatch } })) as { sessionId: string }
    const session = `/session/${sessionId}`
    await ask('POST', `${session}/timeouts`, { script: TIMEOUT_MS })
    return {
      open: async (url) => void (await ask('POST', `${session}/url`, { url })),
      run: (source) => ask('POST', `${session}/execute/async`, { script: toCallback(source), args: [] }).then(unpack),
      async close() {
        await ask('DELETE', session).catch(() => {})
        stop()
      },
    }
  } catch (error) {
    stop()
    throw error
  }
}

function findMiniBrowser(): string {
  const folders = readdirSync('/usr/lib').flatMap((name) => ['4.1', '4.0'].map((version) => `/usr/lib/${name}/webkit2gtk-${version}`))
  const found = folders.map((folder) => `${folder}/MiniBrowser`).find((path) => existsSync(path))
  if (found === undefined) throw new NotInstalled('webkit2gtk-driver brought no MiniBrowser')
  return found
}

type Ask = (method: string, path: string, body?: object) => Promise<unknown>

function createAsk(origin: string): Ask {
  return async (method, path, body) => {
    const init = { method, signal: AbortSignal.timeout(TIMEOUT_MS), ...(body ? { body: JSON.stringify(body) } : {}) }
    const response = await fetch(origin + path, init)
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }
}

async function untilReady(ask: Ask): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await ask('GET', '/status').catch(() => undefined)) return
    await wait(100)
  }
  throw new Error(`${DRIVER} does not answer`)
}

/** WebDriver gives a script a callback in place of awaiting it. */
function toCallback(source: string): string {
  return `const done = arguments[0]; (${source})().then((value) => done({ value }), (error) => done({ error: String(error) }))`
}

function unpack(result: unknown): unknown {
  const { value, error } = result as { value?: unknown; error?: string }
  if (error !== undefined) throw new Error(error)
  return value
}
