// Results as a JUnit report, which CI servers show.
import { escapeUnsafe } from '../../contract/escape.ts'
import { MOCK_NAME } from '../../control/protocol.ts'
import { checkWritable, PUBLIC, replaceFile } from '../../hosts/node/replace-file.ts'
import { joinLines, notify } from './output.ts'

export interface JunitCase {
  readonly name: string
  /** Why it failed. */
  readonly problem?: string | undefined
  /** Why it was not decided. */
  readonly skipped?: string | undefined
}

export const junit = {
  syntax: '--junit <file>',
  help: 'write a JUnit report too, for a CI server',
} as const

/** Before a long run, since a wrong path must not cost it. */
export async function checkJunit(file: string | undefined): Promise<void> {
  if (file !== undefined) await checkWritable(file)
}

export async function writeJunit(
  file: string | undefined,
  suite: string,
  cases: readonly JunitCase[],
): Promise<void> {
  if (file === undefined) return
  await replaceFile(file, renderJunit(suite, cases), PUBLIC)
  notify(`wrote ${file}`)
}

export function renderJunit(suite: string, cases: readonly JunitCase[]): string {
  const failures = cases.filter(({ problem }) => problem !== undefined).length
  const skipped = cases.filter((one) => one.skipped !== undefined).length
  const counts = `tests="${cases.length}" failures="${failures}" skipped="${skipped}"`
  const head = `name="${MOCK_NAME} ${escapeXml(suite)}" ${counts}`
  return joinLines([
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite ${head}>`,
    ...cases.map((one) => renderCase(suite, one)),
    '</testsuite>',
  ])
}

function renderCase(suite: string, { name, problem, skipped }: JunitCase): string {
  const named = `<testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}"`
  if (problem !== undefined) {
    return `  ${named}><failure message="${escapeXml(problem)}"/></testcase>`
  }
  if (skipped !== undefined) {
    return `  ${named}><skipped message="${escapeXml(skipped)}"/></testcase>`
  }
  return `  ${named}/>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** XML 1.0 cannot have control characters, not even as references. */
function escapeXml(text: string): string {
  return escapeUnsafe(text).replace(/[&<>"]/g, (character) => ENTITIES[character] as string)
}
