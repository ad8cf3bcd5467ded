// The entry points of the package, read from package.json: bundles and declarations follow from its
// `exports`.
import { readFileSync } from 'node:fs'

/** What can be imported from the package. */
export interface EntryPoint {
  /** The name of its files, and the path to import it by; `index` is the package itself. */
  readonly name: string
  /** The module behind it: `src/index.ts`. */
  readonly module: string
  /** Whether it has no CommonJS build. */
  readonly isEsmOnly: boolean
}

const { exports, peerDependenciesMeta } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as {
  exports: Record<string, string | { types: string } | { import: { types: string } }>
  peerDependenciesMeta: Record<string, unknown>
}

export const entryPoints: readonly EntryPoint[] = Object.entries(exports).flatMap(
  ([path, target]) => {
    // A file for generators, editors and tools.
    if (typeof target === 'string') return []
    const { types } = 'import' in target ? target.import : target
    const module = types.replace(/^\.\/dist\/types\/(.*)\.d\.ts$/, 'src/$1.ts')
    return {
      name: path === '.' ? 'index' : path.slice(2),
      module,
      isEsmOnly: !('import' in target),
    }
  },
)

/**
 * The user's packages that entry points import, of any version. They are in `peerDependenciesMeta`
 * alone: pnpm and Yarn read that as an optional peer, and npm does not fetch metadata for them
 * before `npx` can start.
 */
export const peers: readonly string[] = Object.keys(peerDependenciesMeta)
