// A block that only installs packages gets a tab for each package manager.
import type { MarkdownRenderer } from 'vitepress'

const MANAGERS: Readonly<Record<string, (command: string) => string>> = {
  npm: (command) => command,
  pnpm: (command) => command.replace('npm i -D', 'pnpm add -D').replace('npx', 'pnpm exec'),
  yarn: (command) => command.replace('npm i -D', 'yarn add -D').replace('npx', 'yarn'),
}

const INSTALLS = /^(?:npm i -D .+\n)(?:np(?:x|m i -D) .+\n)*$/

export function addInstallTabs(md: MarkdownRenderer): void {
  const renderFence = md.renderer.rules.fence
  if (!renderFence) return
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index]
    if (!token || !INSTALLS.test(token.content))
      return renderFence(tokens, index, options, env, self)
    const { content } = token
    token.info = 'sh'
    const tabs: string[] = []
    const blocks: string[] = []
    for (const [name, translate] of Object.entries(MANAGERS)) {
      token.content = content.split('\n').map(translate).join('\n')
      const isFirst = tabs.length === 0
      tabs.push(renderTab(`tab-${index}`, name, isFirst))
      const block = renderFence(tokens, index, options, env, self)
      blocks.push(isFirst ? block.replace('class="language-', 'class="active language-') : block)
    }
    token.content = content
    return `<div class="vp-code-group"><div class="tabs">${tabs.join('')}</div><div class="blocks">${blocks.join('')}</div></div>`
  }
}

function renderTab(group: string, name: string, isChecked: boolean): string {
  const id = `${group}-${name}`
  const checked = isChecked ? ' checked' : ''
  return `<input type="radio" name="${group}" id="${id}"${checked}><label data-title="${name}" for="${id}">${name}</label>`
}
