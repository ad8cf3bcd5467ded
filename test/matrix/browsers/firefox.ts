// Debian's Firefox, driven over WebDriver BiDi by the project's puppeteer-core.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getProgram } from '../debian.ts'
import type { Project } from '../project.ts'
import type { Browser } from './browser.ts'

const FIREFOX = '/usr/bin/firefox-esr'

/** As much of puppeteer-core as is used here. */
interface Puppeteer {
  launch(options: object): Promise<{ newPage(): Promise<Page>; close(): Promise<void> }>
}
interface Page {
  goto(url: string): Promise<unknown>
  evaluate(source: string): Promise<unknown>
}

export async function launchFirefox({ folder }: Project): Promise<Browser> {
  await getProgram(FIREFOX, ['firefox-esr'])
  const entry = join(folder, 'node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js')
  const { launch }: Puppeteer = await import(pathToFileURL(entry).href)
  const browser = await launch({ browser: 'firefox', executablePath: FIREFOX, headless: true, timeout: 120_000, protocolTimeout: 180_000 })
  const page = await browser.newPage()
  return {
    open: async (url) => void (await page.goto(url)),
    run: (source) => page.evaluate(`(${source})()`),
    close: () => browser.close(),
  }
}
