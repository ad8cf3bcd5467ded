// Before anything runs in a browser: there is one, and MSW's service worker lies where a page can load it.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { getChromium } from './chromium.ts'

const MSW = fileURLToPath(new URL('../../node_modules/msw/cli/index.js', import.meta.url))

/** Where `msw init` puts the worker, and pages find it. */
export const WORKER_FOLDER = fileURLToPath(new URL('../../node_modules/.cache/animal-store-mock/worker', import.meta.url))

export default function setup(): void {
  getChromium()
  putWorker()
}

export function putWorker(): void {
  execFileSync(process.execPath, [MSW, 'init', WORKER_FOLDER, '--no-save'], { stdio: 'pipe' })
}
