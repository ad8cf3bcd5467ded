// Finds a Chromium, or gets one: a suite that needs a browser must not pass for want of it.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright'

/**
 * The browser without its windows: what Playwright itself takes, and two thirds of the processor
 * time.
 */
const SHELL = '/usr/bin/chromium-headless-shell'
const WHOLE = '/usr/bin/chromium'
const INSTALL_DEBIAN =
  'apt-get update && apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 chromium-headless-shell'
const INSTALL_PLAYWRIGHT = 'npx --no-install playwright install chromium'

/** Keeps the browser from calling home, and from what a container does not have. */
export const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
]

/** The browser of this run (`setup.ts` starts it). Only a spec with flags gets another one. */
export async function launchChromium(flags: readonly string[] = []): Promise<Browser> {
  const server = process.env.CHROMIUM_SERVER
  if (server && flags.length === 0) return chromium.connect(server)
  return chromium.launch({ executablePath: getChromium(), args: [...FLAGS, ...flags] })
}

/** The path of a Chromium; if this machine has none, one is installed. */
export function getChromium(): string {
  const path = locateChromium()
  if (existsSync(path)) return path
  if (path === process.env.CHROMIUM_PATH)
    throw new Error(
      `CHROMIUM_PATH: expected the path of a Chromium, got ${path}, where there is nothing`,
    )
  const command = canUseApt() ? INSTALL_DEBIAN : INSTALL_PLAYWRIGHT
  console.error(`There is no Chromium (CHROMIUM_PATH may name one). Getting it: ${command}`)
  try {
    execFileSync('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'inherit'] })
  } catch {
    // What it printed says why; what follows says what to do.
  }
  if (!existsSync(path))
    throw new Error(
      `There is no Chromium, and it could not be got. Run this, then try again:\n  ${command}`,
    )
  return path
}

/** Where Chromium is, or will be once it is installed. */
function locateChromium(): string {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const found = [SHELL, WHOLE, chromium.executablePath()].find((path) => existsSync(path))
  return found ?? (canUseApt() ? SHELL : chromium.executablePath())
}

function canUseApt(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}
