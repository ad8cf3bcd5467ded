// Two messages side by side: which lines differ, and the line of the screen that each has.
import { findOtherFields } from '../../control/describe-differences.ts'
import type { LoggedMessage } from '../../world/row.ts'
import { indentJson } from './indent-json.ts'
import { showHidden } from './text.ts'

export type ComparedLine = Readonly<{ text: string; place: number; isMarked: boolean }>

/**
 * The header fields that differ, then the body, with the lines that differ marked. The lines after
 * those have the same places in both.
 */
export function compareBodies(one: LoggedMessage, other: LoggedMessage) {
  const messages = [one, other]
  const names = hasFields(one) && hasFields(other) ? findOtherFields(one, other) : []
  const bodies = messages.map(readLines)
  const marked = diffLines(bodies[0] ?? [], bodies[1] ?? [])
  const mostMarked = Math.max(...marked.map((indexes) => indexes.length))
  const firstMarked = marked.flat()[0] ?? 0
  return messages.map((message, side) => {
    const lines: ComparedLine[] = []
    for (const [place, name] of names.entries()) {
      const value = message.headers[name]
      if (value) lines.push({ text: showHidden(`${name}: ${value}`), place, isMarked: true })
    }
    const ownMarked = marked[side]?.length ?? 0
    for (const [index, text] of (bodies[side] ?? []).entries()) {
      const isBefore = index < firstMarked
      const isAfter = index >= firstMarked + ownMarked
      const shift = isAfter ? mostMarked - ownMarked : 0
      lines.push({ text, place: names.length + index + shift, isMarked: !isBefore && !isAfter })
    }
    return lines
  })
}

function hasFields(message: LoggedMessage): boolean {
  return Object.keys(message.headers).length > 0
}

function readLines(message: LoggedMessage): string[] {
  if (message.body === '') return []
  return showHidden(indentJson(message.body)).split('\n')
}

/**
 * For both texts, the indexes of the lines between their common beginning and their common end.
 */
export function diffLines(one: readonly string[], other: readonly string[]): number[][] {
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && isSameLine(one[start], other[start])) start++
  let end = 0
  while (end < shorter - start && isSameLine(one.at(-1 - end), other.at(-1 - end))) end++
  return [one, other].map((lines) =>
    Array.from({ length: lines.length - start - end }, (_, index) => start + index),
  )
}

/** The last line of a list has no comma. */
function isSameLine(one = '', other = ''): boolean {
  return one.replace(/,$/, '') === other.replace(/,$/, '')
}
