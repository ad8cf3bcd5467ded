// `assumptions`: every question that the spec leaves open, the choice made, the others, and why.
import { escapeUnsafe } from '../../client/escape.ts'
import type { AssumptionState } from '../../control/control.ts'
import { questions } from '../../generated/questions.ts'
import { defineCommand } from '../command.ts'
import { flagTables } from '../flags.ts'
import { print, toDocumentText } from '../print-document.ts'

/** A question as it is, or with a scenario's choice. */
type Listed = (typeof questions)[number] & Partial<Pick<AssumptionState, 'choice' | 'confirmed'>>

export const assumptionsCommand = defineCommand({
  summary: 'list what the spec leaves open, the choice made, and why',
  flags: flagTables.assumptions,
  examples: ['assumptions', 'assumptions --json', 'assumptions --scenario reality.yaml', 'serve --assume invalid-query=clamp'],
  async run({ json, scenario }) {
    const listed = scenario === undefined ? questions : await listChoices(scenario)
    const legend = scenario === undefined ? '* marks the default.' : `* marks the choice of ${escapeUnsafe(scenario)}.`
    await print(json ? await toDocumentText(listed, 'json') : `${listed.map(toParagraph).join('\n')}\n${USAGE} ${legend}\n`)
  },
})

const USAGE = 'To choose differently, use --assume <question=choice>, `assume` in a scenario, or the console of a running mock.'

async function listChoices(nameOrFile: string): Promise<Listed[]> {
  const { findScenario } = await import('../../scenario/files.ts')
  const { createMock } = await import('../../mock/mock.ts')
  const states = createMock({ scenario: await findScenario(nameOrFile) }).control.assumptions()
  return questions.map((question, index) => {
    const { choice, confirmed } = states[index] as AssumptionState
    return { ...question, choice, ...(confirmed ? { confirmed } : {}) }
  })
}

function toParagraph({ id, question, silence, why, choices, default: usual, choice: chosen = usual, confirmed }: Listed): string {
  const width = Math.max(...choices.map((choice) => choice.id.length))
  const options = choices.map((choice) => `  ${choice.id === chosen ? '*' : ' '} ${choice.id.padEnd(width)}  ${choice.meaning}\n`)
  const seen = confirmed ? `  Confirmed on ${escapeUnsafe(confirmed.on)} against ${escapeUnsafe(confirmed.against)}\n` : ''
  return `${id}\n  ${question}\n  ${silence}\n${options.join('')}${seen}  Why: ${why}\n`
}
