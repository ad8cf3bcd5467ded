// The repository's own pages, taken apart for the specs that hold them against the code.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Page {
  /** From the root of the repository, as in `docs/testing.md`. */
  readonly path: string
  readonly text: string
  readonly fences: readonly Fence[]
}

export interface Fence {
  readonly page: string
  readonly language: string
  readonly text: string
}

/** Where pages for readers are; everything else in Markdown is a report or somebody else's. */
const FOLDERS = [
  'docs',
  'docs/appendix',
  'docs/decisions',
  'bench',
  'examples',
  ...foldersIn('examples'),
  '.github/ISSUE_TEMPLATE',
  '.',
]

export const pages: readonly Page[] = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md')
    .map((name) => readPage(relative(root, join(root, folder, name)))),
)

/** The anchors that GitHub makes of headings. */
export function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}

/** All fences of one language, in the order of the pages. */
export function fencesOf(...languages: readonly string[]): Fence[] {
  return pages
    .flatMap(({ fences }) => fences)
    .filter(({ language }) => languages.includes(language))
}

export function pageOf(path: string): Page {
  const page = pages.find((one) => one.path === path)
  if (!page) throw new Error(`there is no ${path}`)
  return page
}

/** The cells of every row of a page's tables whose first cell matches. */
export function rowsOf(path: string, first: RegExp): string[][] {
  return pageOf(path)
    .text.split('\n')
    .filter((line) => line.startsWith('| '))
    .map(toCells)
    .filter(([cell = '']) => first.test(cell))
}

/** The cells of every row of the table whose first column has that heading. */
export function tableOf(path: string, heading: string): string[][] {
  const lines = pageOf(path).text.split('\n')
  const head = lines.findIndex((line) => line.startsWith(`| ${heading} |`))
  if (head < 0) throw new Error(`${path} has no table of "${heading}"`)
  const end = lines.findIndex((line, index) => index > head && !line.startsWith('|'))
  return lines.slice(head + 2, end).map(toCells)
}

/** The parts of a page's section by the anchor of its heading, up to the next heading. */
export function sectionOf(path: string, anchor: string): string {
  const [, ...sections] = pageOf(path).text.split(/^(?=#+ )/m)
  const section = sections.find((one) => anchorsOf(one)[0] === anchor)
  if (section === undefined) throw new Error(`${path} has no section "${anchor}"`)
  return section
}

/**
 * A test that runs in Node, with packages that we develop with. The other tests are parts of
 * examples.
 */
export function isNodeTest({ text }: Fence): boolean {
  return text.includes("from 'vitest'") && !/from '(?:vitest\/browser|axios)'/.test(text)
}

function foldersIn(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}`)
}

function toCells(line: string): string[] {
  return line
    .slice(1, line.lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}

function readPage(path: string): Page {
  const text = readFileSync(join(root, path), 'utf8')
  const fences = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', content = '']) => ({
      page: path,
      language,
      text: content,
    }),
  )
  return { path, text, fences }
}
