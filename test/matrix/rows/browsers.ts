// The engines beside Chromium, which has suites of its own: the handlers behind MSW's worker in a page, and the console.
import { deepStrictEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser } from '../browsers/browser.ts'
import { launchFirefox } from '../browsers/firefox.ts'
import { launchWebKit } from '../browsers/webkit.ts'
import type { Project } from '../project.ts'
import type { Group } from '../row.ts'

const PUPPETEER = '24.43.1'

const ENGINES: readonly { name: string; version: string; launch(project: Project): Promise<Browser> }[] = [
  { name: 'Firefox', version: "Debian's ESR", launch: launchFirefox },
  { name: 'WebKitGTK', version: "Debian's", launch: launchWebKit },
]

export const browsers: readonly Group[] = [
  {
    isHeavy: true,
    packages: [`puppeteer-core@${PUPPETEER}`],
    rows: ENGINES.flatMap(({ name, version, launch }) => [
      { environment: `${name}, handlers behind the worker`, version, check: (project) => checkHandlers(project, launch) },
      { environment: `${name}, console`, version, check: (project) => checkConsole(project, launch) },
    ]),
  },
]

type Launch = (project: Project) => Promise<Browser>

/** What the page must have seen; errors have the service's own words. */
const HANDLERS = {
  created: [201, '{"id":19,"name":"Pip","categoryId":1}'],
  foundAtOtherAddress: [200, '{"id":19,"name":"Pip","categoryId":1}'],
  int64: [201, '{"id":52,"name":"Big","categoryId":-9223372036854775808}'],
  wrongKey: [401, '{"code":"Unauthorized","message":"Invalid API key","status":401}'],
  notFound: [404, '{"code":"NotFound","message":"Animal 9223372036854775807 not found","status":404}'],
  invalid: 400,
  fault: 503,
  dropped: 'TypeError',
  dropIsLogged: [0, true],
  delayed: [200, true],
  elsewhere: [404, 'no such file on this site'],
  reset: 404,
}

async function checkHandlers(project: Project, launch: Launch): Promise<void> {
  const browser = await launch(project)
  try {
    // Imported here, since only this needs a bundler.
    const [{ openSite }, { putWorker }] = await Promise.all([import('../../browser/site.ts'), import('../../browser/setup.ts')])
    putWorker()
    const site = await openSite(fileURLToPath(new URL('../../browser/app.ts', import.meta.url)))
    try {
      await browser.open(site.url)
      await browser.run("async () => { while (!('app' in globalThis)) await new Promise((resolve) => setTimeout(resolve, 50)) }")
      deepStrictEqual(JSON.parse(String(await browser.run(programOf('handlers-in-page.js')))), HANDLERS)
    } finally {
      site.close()
    }
  } finally {
    await browser.close()
  }
}

const VIEWS = ['requests', 'animals', 'scenarios', 'faults', 'assumptions']
const TASKS = [
  'add an animal',
  'search for an animal',
  'sell an animal',
  'send the first request',
  'see a request live',
  'send a request again',
  'fail an operation',
  'remove a fault',
  'undo',
  'set the clock',
  'choose an assumption',
  'load a scenario',
]

async function checkConsole(project: Project, launch: Launch): Promise<void> {
  const door = (file: string) => import(pathToFileURL(join(project.folder, 'node_modules/animal-store-mock/dist', file)).href)
  const { createMock } = (await door('index.js')) as typeof import('animal-store-mock')
  const { serve } = (await door('node.js')) as typeof import('animal-store-mock/node')
  const mock = createMock()
  const { url, close } = await serve(mock)
  try {
    const browser = await launch(project)
    try {
      await browser.open(`${new URL(url).origin}/__mock/`)
      deepStrictEqual(JSON.parse(String(await browser.run(programOf('console-in-page.js')))), [
        ...VIEWS.map((view) => `view ${view}`),
        ...TASKS,
      ])
      // The page did what it said.
      deepStrictEqual(mock.control.summary().pets, 19)
    } finally {
      await browser.close()
    }
  } finally {
    await close()
  }
}

/** A function that runs in a page. */
function programOf(file: string): string {
  return readFileSync(new URL(`../programs/${file}`, import.meta.url), 'utf8').split('export default ')[1] ?? ''
}
