// `assume --why`: every question that the spec leaves open, the choice made, the others, and why.
import { escapeUnsafe } from '../client/escape.ts'
import type { AssumptionState } from '../control/control.ts'
import { questions } from '../generated/questions.ts'
import { createMock } from '../mock/mock.ts'
import { findScenario } from '../scenario/files.ts'
import { toDocumentText } from './print-document.ts'

/** The questions with the choices of a scenario, as text or JSON. */
export async function explainAssumptions(scenario: string, isJson: boolean): Promise<string> {
  const states = createMock({ scenario: await findScenario(scenario) }).control.assumptions()
  const listed = questions.map((question, index) => {
    const { choice, confirmed } = states[index] as AssumptionState
    return { ...question, choice, ...(confirmed ? { confirmed } : {}) }
  })
  return isJson ? toDocumentText(listed, 'json') : `${listed.map(render).join('\n')}\n${USAGE}\n`
}

const USAGE =
  'To choose differently, use --assume <question=choice>, `assume` in a scenario, or the console of a running mock. * marks the choice made.'

type Listed = (typeof questions)[number] & Pick<AssumptionState, 'choice' | 'confirmed'>

function render({ id, question, silence, why, choices, choice: chosen, confirmed }: Listed): string {
  const width = Math.max(...choices.map((choice) => choice.id.length))
  const options = choices.map((choice) => `  ${choice.id === chosen ? '*' : ' '} ${choice.id.padEnd(width)}  ${choice.meaning}\n`)
  const seen = confirmed ? `  Confirmed on ${escapeUnsafe(confirmed.on)} against ${escapeUnsafe(confirmed.against)}\n` : ''
  return `${id}\n  ${question}\n  ${silence}\n${options.join('')}${seen}  Why: ${why}\n`
}
