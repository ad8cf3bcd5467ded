// Bytes: the MSW handlers in a page, and the package.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import type { RaceSettings } from './burst.ts'
import type { Report } from './figure.ts'
import { root } from './server.ts'

/** What the tests of the package hold. */
const allowed = (most: number) => ({ most, why: `test/package allows ${most}` })

export async function measureSize(_: RaceSettings, report: Report): Promise<void> {
  const { packed, installed } = weighPackage()
  report({
    name: '/msw in a page without msw, kB gz',
    value: await weighPage(),
    target: 24,
    expected: allowed(31),
  })
  report({ name: 'the packed package, kB', value: packed, target: 250, expected: allowed(530) })
  report({ name: 'the installed package, kB', value: installed })
}

/** What a page loads first; chunks that it loads on demand are left out. */
async function weighPage(): Promise<number> {
  const bundle = await rolldown({
    input: join(root, 'dist/msw.js'),
    platform: 'browser',
    external: [/^msw(\/|$)/],
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  const chunks = output.filter((part) => part.type === 'chunk')
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry))
  // A set also visits what is added meanwhile.
  for (const { imports } of loaded)
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk)
  return [...loaded].reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0) / 1_000
}

export function weighPackage(): { packed: number; installed: number } {
  const json = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [report] = JSON.parse(json)
  return { packed: report.size / 1_000, installed: report.unpackedSize / 1_000 }
}
