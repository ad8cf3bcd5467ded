// Whole scripts of the pages that run in a browser too, and that the page follows with their
// output. They are bundled with the site: nothing is evaluated as text.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { MarkdownRenderer, Plugin } from 'vitepress'

const root = fileURLToPath(new URL('../../', import.meta.url))
const MODULE = 'virtual:snippets'
/** The pages whose scripts test/docs/stories.spec.ts runs. */
const PAGES = ['library.md', 'control.md', 'appendix/functions.md', 'appendix/limits.md']
const IN_A_PAGE = ['animal-store-mock', 'animal-store-mock/generate', 'animal-store-mock/scenarios']
const IMPORT = /^import (\{.*\}) from '(.*)'$/gm

function isRunnable(script: string): boolean {
  const sources = [...script.matchAll(IMPORT)].map(([, , source = '']) => source)
  return sources.length > 0 && sources.every((source) => IN_A_PAGE.includes(source))
}

/** The text of a script stands for it: a page and the module find it alike. */
function nameScript(script: string): string {
  let hash = 0
  for (const character of script) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) | 0
  return `snippet${hash >>> 0}`
}

/** The scripts as functions that print to the console they get. */
export function runnableSnippets(): Plugin {
  return {
    name: 'runnable-snippets',
    resolveId: (source) => (source === MODULE ? `\0${MODULE}` : undefined),
    load: (id) => (id === `\0${MODULE}` ? renderModule() : undefined),
  }
}

function renderModule(): string {
  const functions: string[] = []
  for (const page of PAGES) {
    const text = readFileSync(`${root}docs/${page}`, 'utf8')
    for (const [, script = ''] of text.matchAll(/^```js\n([\s\S]*?)^```\n\n```text$/gm)) {
      if (!isRunnable(script)) continue
      const body = script.replaceAll(IMPORT, "const $1 = await import('$2')")
      functions.push(`export async function ${nameScript(script)}(console) {\n${body}}`)
    }
  }
  return functions.join('\n')
}

/** Wraps each of them in the component that runs it. */
export function markRunnable(md: MarkdownRenderer): void {
  const renderFence = md.renderer.rules.fence
  if (!renderFence) return
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const html = renderFence(tokens, index, options, env, self)
    const token = tokens[index]
    const hasOutput = tokens[index + 1]?.info === 'text'
    if (token?.info !== 'js' || !hasOutput || !isRunnable(token.content)) return html
    if (!PAGES.includes(env.relativePath)) return html
    return `<RunnableSnippet name="${nameScript(token.content)}">${html}</RunnableSnippet>`
  }
}
