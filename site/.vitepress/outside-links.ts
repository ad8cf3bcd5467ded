// Links from the pages to other files of the repository lead to the repository.
import { statSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MarkdownRenderer } from 'vitepress'
import { repository } from './addresses'

const root = fileURLToPath(new URL('../../', import.meta.url))

export function linkToRepository(md: MarkdownRenderer): void {
  md.core.ruler.push('links-to-repository', (state) => {
    for (const token of state.tokens) {
      for (const child of token.children ?? []) {
        if (child.type !== 'link_open') continue
        const href = child.attrGet('href') ?? ''
        const outside = findOutside(href, state.env.relativePath)
        if (outside !== undefined) child.attrSet('href', outside)
      }
    }
  })
}

/** The address of a file outside docs/, in the repository. */
function findOutside(href: string, page: string): string | undefined {
  if (!href.startsWith('.')) return undefined
  const path = posix.join('docs', posix.dirname(page), href)
  if (path.startsWith('docs/')) return undefined
  const kind = statSync(root + path).isDirectory() ? 'tree' : 'blob'
  return `${repository}/${kind}/main/${path}`
}
