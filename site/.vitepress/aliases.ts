// How the pages find what they import. The package is there by its own name, as its users import it, from the last build.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitepress'

const root = new URL('../../', import.meta.url)
const { exports: entries } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

/** The module of each entry point that has one for a page. */
export const packageAliases = Object.entries(entries).flatMap(([name, entry]) => {
  const module = (entry as { import?: { default?: string } }).import?.default
  if (!module) return []
  const path = fileURLToPath(new URL(module, root))
  return [{ find: new RegExp(`^animal-store-mock${name.slice(1)}$`), replacement: path }]
})

/** The pages are outside this package, and would not find its Vue. */
export function findVue(): Plugin {
  const here = fileURLToPath(import.meta.url)
  return {
    name: 'find-vue',
    enforce: 'pre',
    resolveId(source, importer, { ssr }) {
      const isVue = /^vue$|^vue\/|^@vue\//.test(source)
      if (!isVue) return undefined
      // Node finds it next to the rendered pages, and must not load a second one.
      if (ssr) return { id: source, external: true }
      if (!importer?.endsWith('.md')) return undefined
      return this.resolve(source, here, { skipSelf: true })
    },
  }
}
