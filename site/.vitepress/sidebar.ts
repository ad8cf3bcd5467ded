// The sidebar has the pages of docs/llms.txt, which lists each page once.
import { readFileSync } from 'node:fs'
import type { DefaultTheme } from 'vitepress'

export function readSidebar(): DefaultTheme.SidebarItem[] {
  const list = readFileSync(new URL('../../docs/llms.txt', import.meta.url), 'utf8')
  const groups: DefaultTheme.SidebarItem[] = []
  for (const section of list.split(/^## /m).slice(1)) {
    const [title = ''] = section.split('\n', 1)
    const items: DefaultTheme.SidebarItem[] = []
    for (const [, text = '', page = ''] of section.matchAll(/\[([^\]]+)\]\(([\w/-]+)\.md\)/g)) {
      items.push({ text: text.charAt(0).toUpperCase() + text.slice(1), link: `/${page}` })
    }
    groups.push({ text: title, items })
  }
  return groups
}
