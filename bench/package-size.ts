// What the package costs before it does anything: bytes in a browser's bundle, bytes of the tarball, the time of npx.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { builtFile } from './built.ts'
import { root } from './contestants.ts'
import { atMost, type Figure } from './figures.ts'
import { interleave, median, ratios } from './measure.ts'
import { cleanEnvironment } from './server-process.ts'

const NPX_ROUNDS = 7

export interface Packed {
  readonly filename: string
  readonly size: number
  readonly unpackedSize: number
}

export async function measurePackage(): Promise<Figure[]> {
  const bundle = await weighBundle()
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-npx-'))
  try {
    const packed = pack(root, folder)
    const [own = [], empty = []] = await timeNpx(folder, packed)
    const { median: times, low, high } = ratios(own, empty)
    return [
      atMost('browser bundle of /msw without msw, bytes gz', bundle, 20_000, bundle.toLocaleString('en')),
      atMost('tarball, bytes', packed.size, 250_000, packed.size.toLocaleString('en')),
      atMost(
        'npx of the tarball, cold cache, × an empty package',
        times,
        1.3,
        `${times.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)}); ${median(own).toFixed(0)} to ${median(empty).toFixed(0)} ms`,
      ),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The bytes of the MSW door in a page, minified and compressed; msw itself is left out. */
export async function weighBundle(): Promise<number> {
  const bundle = await rolldown({ input: builtFile('msw.js'), platform: 'browser', external: [/^msw(\/|$)/], logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  // A chunk that is only loaded on demand is no part of what a page starts with.
  const eager = output.filter((chunk) => chunk.type === 'chunk' && !chunk.isDynamicEntry)
  await bundle.close()
  return eager.reduce((bytes, chunk) => bytes + (chunk.type === 'chunk' ? gzipSync(chunk.code, { level: 9 }).length : 0), 0)
}

/** Packs a folder's package into another folder. */
export function pack(from: string, into: string): Packed {
  const told = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', into], {
    cwd: from,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return JSON.parse(told)[0]
}

function timeNpx(folder: string, own: Packed): Promise<number[][]> {
  const emptyPackage = join(folder, 'empty')
  mkdirSync(emptyPackage)
  writeFileSync(join(emptyPackage, 'package.json'), JSON.stringify({ name: 'empty-package', version: '1.0.0', bin: 'bin.js' }))
  writeFileSync(join(emptyPackage, 'bin.js'), '#!/usr/bin/env node\n')
  const empty = pack(emptyPackage, folder)
  let round = 0
  return interleave([own, empty], NPX_ROUNDS, ({ filename }) => {
    const place = join(folder, `round-${++round}`)
    mkdirSync(place)
    const startedAt = performance.now()
    // A tarball by its absolute path would be taken for a command.
    execFileSync('npx', ['--yes', `../${filename}`, '--version'], {
      cwd: place,
      env: { ...cleanEnvironment(), npm_config_cache: join(place, 'cache'), npm_config_update_notifier: 'false' },
      stdio: 'ignore',
    })
    return performance.now() - startedAt
  })
}
