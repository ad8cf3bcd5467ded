// Problems in a short form that is not English, for tests: `missing pets[1].name`, `a.yaml:6
// mismatch pets[0].status "gone"`.
import type { Problem } from '../../src/contract/problem.ts'

type Fields = {
  readonly [Name in 'path' | 'got' | 'id' | 'also' | 'found' | 'slip' | 'what' | 'near']?: string
} & {
  readonly line?: number
  readonly column?: number
}

export function brief({ at, ...problem }: Problem): string {
  const { path, got, id, also, found, line, column, slip, what, near } = problem as Fields
  const place = at && (at.line === undefined ? `${at.file}:` : `${at.file}:${at.line}`)
  const where = [line, column].filter(Number).join(':')
  if (problem.kind === 'text')
    return [place, path && `${path}:`, problem.text].filter(Boolean).join(' ')
  return [
    place,
    problem.kind,
    path,
    got,
    slip,
    what,
    id,
    also,
    found,
    where,
    near && `near ${near}`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** The problems of the error that a call throws. */
export function briefOf(run: () => unknown): readonly string[] {
  try {
    run()
  } catch (error) {
    return (error as { problems: readonly Problem[] }).problems.map(brief)
  }
  throw new Error('nothing was thrown')
}
