// Before anything runs in a browser: there is one Chromium for the whole run, and MSW's service
// worker lies where a page can load it.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { FLAGS, getChromium } from './chromium.ts'

const MSW = fileURLToPath(new URL('../../node_modules/msw/cli/index.js', import.meta.url))

/** Where `msw init` puts the worker, and pages find it. */
export const WORKER_FOLDER = fileURLToPath(
  new URL('../../node_modules/.cache/animal-store-mock/worker', import.meta.url),
)

/**
 * Each project with a browser calls this; the first one starts it, and the others find its address.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  putWorker()
  if (process.env.CHROMIUM_SERVER) return undefined
  const server = await chromium.launchServer({ executablePath: getChromium(), args: FLAGS })
  process.env.CHROMIUM_SERVER = server.wsEndpoint()
  return () => server.close()
}

export function putWorker(): void {
  execFileSync(process.execPath, [MSW, 'init', WORKER_FOLDER, '--no-save'], { stdio: 'pipe' })
}
