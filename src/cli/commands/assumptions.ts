// `assumptions`: every question that the spec leaves open, the choice made, the others, and why.
import { escapeUnsafe } from '../../client/escape.ts'
import type { AssumptionState } from '../../control/control.ts'
import { questions } from '../../generated/questions.ts'
import { createMock } from '../../mock/mock.ts'
import { findScenario } from '../../scenario/files.ts'
import { defineCommand } from '../command.ts'
import { flagTables } from '../flags.ts'
import { print } from '../output.ts'
import { toDocumentText } from '../print-document.ts'

export const assumptionsCommand = defineCommand({
  summary: 'list what the spec leaves open, the choice made, and why',
  flags: flagTables.assumptions,
  examples: ['assumptions', 'assumptions --json', 'assumptions --scenario reality.yaml', 'serve --assume invalid-query=clamp'],
  async run({ json, scenario }) {
    const states = createMock({ scenario: await findScenario(scenario) }).control.assumptions()
    const listed = questions.map((question, index) => {
      const { choice, confirmed } = states[index] as AssumptionState
      return { ...question, choice, ...(confirmed ? { confirmed } : {}) }
    })
    await print(json ? await toDocumentText(listed, 'json') : `${listed.map(render).join('\n')}\n${USAGE}\n`)
  },
})

const USAGE =
  'To choose differently, use --assume <question=choice>, `assume` in a scenario, or the console of a running mock. * marks the choice made.'

type Listed = (typeof questions)[number] & Pick<AssumptionState, 'choice' | 'confirmed'>

function render({ id, question, silence, why, choices, choice: chosen, confirmed }: Listed): string {
  const width = Math.max(...choices.map((choice) => choice.id.length))
  const options = choices.map((choice) => `  ${choice.id === chosen ? '*' : ' '} ${choice.id.padEnd(width)}  ${choice.meaning}\n`)
  const seen = confirmed ? `  Confirmed on ${escapeUnsafe(confirmed.on)} against ${escapeUnsafe(confirmed.against)}\n` : ''
  return `${id}\n  ${question}\n  ${silence}\n${options.join('')}${seen}  Why: ${why}\n`
}
