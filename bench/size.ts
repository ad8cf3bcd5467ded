// Bytes: the MSW handlers in a page, and the package.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import type { Setting } from './cpu.ts'
import type { Figure } from './figure.ts'

export async function measureSize({ checkouts }: Setting, report: (figure: Figure) => void): Promise<void> {
  const [page, otherPage] = await Promise.all(checkouts.map(weighPage))
  const [packed, otherPacked] = checkouts.map(weighPackage)
  report({ name: '/msw in a page without msw, kB gz', value: page as number, other: otherPage, target: 24 })
  report({ name: 'the packed package, kB', value: packed?.packed as number, other: otherPacked?.packed, target: 250 })
  report({ name: 'the installed package, kB', value: packed?.installed as number, other: otherPacked?.installed })
}

/** What a page loads first; chunks that it loads on demand are left out. */
async function weighPage(checkout: string): Promise<number> {
  const bundle = await rolldown({
    input: join(checkout, 'dist/msw.js'),
    platform: 'browser',
    external: [/^msw(\/|$)/],
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  const sizes = output.map((chunk) => (chunk.type === 'chunk' && !chunk.isDynamicEntry ? gzipSync(chunk.code, { level: 9 }).length : 0))
  return sizes.reduce((sum, bytes) => sum + bytes) / 1_000
}

export function weighPackage(checkout: string): { packed: number; installed: number } {
  const json = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: checkout,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [report] = JSON.parse(json)
  return { packed: report.size / 1_000, installed: report.unpackedSize / 1_000 }
}
