// `assumptions`: every question that the spec leaves open, the default choice, the others, and why.
import { assumptions } from '../../generated/contract.ts'
import { defineCommand } from '../command.ts'
import { assumptionsFlags } from '../flags.ts'
import { print, toDocumentText } from '../print-document.ts'

export const assumptionsCommand = defineCommand({
  summary: 'list what the spec leaves open, the choice made, and why',
  flags: assumptionsFlags,
  examples: ['assumptions', 'assumptions --json', 'serve --assume invalid-query=clamp'],
  async run({ json }) {
    await print(json ? await toDocumentText(assumptions, 'json') : `${assumptions.map(toParagraph).join('\n')}\n${USAGE}\n`)
  },
})

const USAGE =
  'To choose differently, use --assume <question=choice>, `assume` in a scenario, or the console of a running mock. * marks the default.'

function toParagraph({ id, question, silence, why, choices, default: chosen }: (typeof assumptions)[number]): string {
  const width = Math.max(...choices.map((choice) => choice.id.length))
  const options = choices.map((choice) => `  ${choice.id === chosen ? '*' : ' '} ${choice.id.padEnd(width)}  ${choice.meaning}\n`)
  return `${id}\n  ${question}\n  ${silence}\n${options.join('')}  Why: ${why}\n`
}
