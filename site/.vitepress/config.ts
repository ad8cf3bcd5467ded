// The web site: the pages of docs/, the home page, and the player beside them. Build the package
// first, because the site runs the mock from dist/.
import { defineConfig } from 'vitepress'
import { basePath, repository } from './addresses'
import { findVue, packageAliases } from './aliases'
import { addInstallTabs } from './install-tabs'
import { linkToRepository } from './outside-links'
import { markRunnable, runnableSnippets } from './runnable-snippets'
import { readSidebar } from './sidebar'

/** As GitHub makes anchors, so that links between pages work in both places. */
function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}

export default defineConfig({
  title: 'animal-store-mock',
  description: 'A mock of the Animal Store API that remembers, explains, and fails on demand',
  base: basePath,
  srcDir: '..',
  srcExclude: ['*.md', 'site/README.md', '{bench,build,examples,spec,src,test,.github}/**'],
  rewrites: {
    'site/pages/:page': ':page',
    'docs/decisions/README.md': 'decisions/index.md',
    'docs/:page*': ':page*',
  },
  cleanUrls: true,
  lastUpdated: false,
  head: [['meta', { name: 'theme-color', content: '#1f7a5c' }]],
  markdown: {
    anchor: { slugify },
    config(md) {
      linkToRepository(md)
      addInstallTabs(md)
      markRunnable(md)
    },
  },
  vite: {
    resolve: { alias: packageAliases },
    plugins: [findVue(), runnableSnippets()],
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Docs', link: '/getting-started' },
      { text: 'Recipes', link: '/recipes' },
      { text: 'Playground', link: `${basePath}play/`, target: '_self' },
    ],
    sidebar: readSidebar(),
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: { pattern: `${repository}/edit/main/:path` },
    footer: { message: 'MIT licence' },
  },
})
