// Finds a Chromium, or gets one. A suite that needs a browser never passes for want of it.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright'

const DEBIAN = '/usr/bin/chromium'
const INSTALL_DEBIAN = 'apt-get update && apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 chromium'
const INSTALL_PLAYWRIGHT = 'npx --no-install playwright install chromium'

/** Keeps the browser from calling home, and from what a container does not have. */
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser of its own, with a fresh profile. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: getChromium(), args: FLAGS })
}

/** The path of a Chromium on this machine; installs one if there is none. */
export function getChromium(): string {
  const found = findChromium()
  if (found !== undefined) return found
  const command = hasApt() ? INSTALL_DEBIAN : INSTALL_PLAYWRIGHT
  console.error(`No Chromium found (CHROMIUM_PATH may name one). Installing: ${command}`)
  try {
    execFileSync('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'inherit'] })
  } catch {
    // What comes next says what to do.
  }
  const installed = findChromium()
  if (installed === undefined)
    throw new Error(`There is no Chromium, and it could not be installed. Run this, then try again:\n  ${command}`)
  return installed
}

/** The path of a Chromium if this machine has one. */
function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH: expected the path of a Chromium, got ${named}, where there is nothing`)
    return named
  }
  return [DEBIAN, chromium.executablePath()].find((path) => existsSync(path))
}

function hasApt(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}
