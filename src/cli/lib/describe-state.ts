// The state of a mock as labelled lines, for the banner and for `status`.
import { escapeUnsafe } from '../../contract/escape.ts'
import { ABSENT } from '../../contract/pet.ts'
import { count } from '../../contract/problem.ts'
import type { StateSummary } from '../../control/control.ts'
import { settingTexts } from '../../scenario/settings/texts.ts'
import type { ReadScenario } from '../../world/scenario.ts'
import { joinLines } from './output.ts'

/** A row without text is left out. */
export type Labelled = readonly [label: string, text: string | false | undefined]

const LABEL_WIDTH = 10

export function renderLabelled(rows: readonly Labelled[], indent = ''): string {
  const lines: string[] = []
  for (const [label, text] of rows) {
    if (text) lines.push(`${indent}${label.padEnd(LABEL_WIDTH)} ${escapeUnsafe(text)}`)
  }
  return joinLines(lines)
}

export function listState(summary: StateSummary, state: ReadScenario): Labelled[] {
  const rows: Labelled[] = [['Animals', describeAnimals(summary)]]
  for (const { label, show } of Object.values(settingTexts)) {
    for (const [index, line] of show(state).entries()) rows.push([index === 0 ? label : '', line])
  }
  const { sandboxes } = summary
  if (sandboxes !== undefined) {
    const some = sandboxes === 0 ? '' : `, ${count(sandboxes)} so far`
    rows.push(['Sandboxes', `one state per API key${some}`])
  }
  return rows
}

function describeAnimals({ pets, byStatus }: StateSummary): string {
  const counts: string[] = []
  for (const [status, amount] of Object.entries(byStatus)) {
    const name = status === ABSENT ? 'without a status' : status
    counts.push(`${count(amount)} ${name}`)
  }
  return counts.length === 0 ? count(pets) : `${count(pets)} (${counts.join(', ')})`
}

export function describeSummary(summary: Pick<StateSummary, 'scenario' | 'pets'>): string {
  return `${summary.scenario} (${count(summary.pets, 'animal')})`
}
