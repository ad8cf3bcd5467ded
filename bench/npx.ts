// `npx animal-store-mock` with an empty cache, beside a package with one file, both from a registry
// on this machine.
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { RaceSettings } from './burst.ts'
import { compared, type Report } from './figure.ts'
import { cleanEnvironment, root } from './server.ts'

interface Package {
  /** What a registry says about a version. */
  readonly manifest: { readonly name: string; readonly version: string }
  readonly tarball: Buffer
}

const ROUNDS = 15

export async function measureNpx(_: RaceSettings, report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-npx-'))
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  writeFileSync(
    join(empty, 'package.json'),
    '{"name":"empty","version":"1.0.0","bin":{"empty":"cli.js"}}',
  )
  writeFileSync(join(empty, 'cli.js'), '#!/usr/bin/env node\nconsole.log("1.0.0")\n')
  const packages = [root, empty].map((source) => pack(source, folder))
  const { registry, url } = await openRegistry(packages)
  const times: [number[], number[]] = [[], []]
  // The first round warms the caches of the system.
  for (let round = -1; round < ROUNDS; round++) {
    for (const [index, { manifest }] of packages.entries()) {
      const elapsed = await runOnce(manifest, url, folder)
      if (round >= 0) times[index]?.push(elapsed)
    }
  }
  registry.close()
  rmSync(folder, { recursive: true })
  report(compared('npx with an empty cache, × an empty package', ...times, 1.5, ['ms', 1]))
}

function pack(source: string, folder: string): Package {
  const into = mkdtempSync(join(folder, 'packed-'))
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', into], {
    cwd: source,
    stdio: 'ignore',
  })
  const tarball = readFileSync(join(into, readdirSync(into)[0] as string))
  return { manifest: JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')), tarball }
}

/** Serves each package as its only version. */
async function openRegistry(packages: readonly Package[]) {
  const registry = createServer((request, response) => {
    const [, name, isTarball] = /^\/([^/]+)(\/tarball)?$/.exec(request.url ?? '') ?? []
    const found = packages.find(({ manifest }) => manifest.name === name)
    if (!found) return response.writeHead(404).end('{}')
    const { manifest, tarball } = found
    if (isTarball) return response.end(tarball)
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
    const version = { ...manifest, dist: { tarball: `${url}/${name}/tarball`, integrity } }
    response.end(
      JSON.stringify({
        name,
        'dist-tags': { latest: manifest.version },
        versions: { [manifest.version]: version },
      }),
    )
  })
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
  return { registry, url }
}

async function runOnce(
  { name, version }: Package['manifest'],
  registry: string,
  folder: string,
): Promise<number> {
  const cwd = mkdtempSync(join(folder, 'run-'))
  const settings = {
    npm_config_registry: registry,
    npm_config_cache: join(cwd, 'cache'),
    npm_config_update_notifier: 'false',
  }
  const start = performance.now()
  const child = spawn('npx', ['--yes', name, '--version'], {
    cwd,
    env: { ...cleanEnvironment(), ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [[code], printed] = await Promise.all([once(child, 'exit'), text(child.stdout)])
  const elapsed = performance.now() - start
  rmSync(cwd, { recursive: true })
  if (code !== 0 || printed.trim() !== version)
    throw new Error(`npx ${name} ended with ${code} and printed ${printed}`)
  return elapsed
}
