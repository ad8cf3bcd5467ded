// The command `assumptions`: every open question of the interface, the choice made for it, the others, and why.
import { assumptions } from '../generated/contract.ts'
import { print, toDocumentText } from './print-document.ts'

export async function runAssumptions({ json }: { readonly json?: boolean }): Promise<void> {
  print(json ? await toDocumentText(assumptions, 'json') : `${assumptions.map(toParagraph).join('\n')}\n${USAGE}\n`)
}

const USAGE = 'Choose otherwise with --assume <question=choice>, with `assume` in a scenario, or while the mock runs in its console.'

function toParagraph({ id, question, silence, why, choices, default: chosen }: (typeof assumptions)[number]): string {
  const width = Math.max(...choices.map((choice) => choice.id.length))
  const options = choices.map((choice) => `  ${choice.id === chosen ? '*' : ' '} ${choice.id.padEnd(width)}  ${choice.meaning}\n`)
  return `${id}\n  ${question}\n  ${silence}\n${options.join('')}  Why: ${why}\n`
}
