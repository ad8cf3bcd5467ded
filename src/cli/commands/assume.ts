// `assume`: shows what a running mock assumes where the spec says nothing, and changes it.

import { parseAssume } from '../../hosts/parse-settings.ts'
import { defineCommand } from '../command.ts'
import { settingFlags } from '../flags.ts'
import { print, toDocumentText } from '../print-document.ts'
import { changeState, readArgument, withState } from '../with-mock.ts'

export const assumeCommand = defineCommand({
  summary: 'show the choices of a running mock where the spec is silent, or change some',
  arguments: [['[question=choice...]', 'choices to make; animal-store-mock assumptions explains them']],
  flags: settingFlags,
  examples: ['assume', 'assume invalid-query=clamp', 'assume default-status=available error-codes=snake'],
  async run({ json, ...flags }, words) {
    const choices = Object.assign({}, ...words.map((word) => readArgument('assume', word, parseAssume)))
    const assumptions = await (words.length === 0
      ? withState(flags, (mock) => mock.assumptions())
      : changeState(flags, async (mock) => {
          await mock.assume(choices)
          return mock.assumptions()
        }))
    if (json) return print(await toDocumentText(Object.fromEntries(assumptions.map(({ id, choice }) => [id, choice])), 'json'))
    const toLine = ({ id, choice, default: usual }: (typeof assumptions)[number]) =>
      `${id}=${choice}${choice === usual ? '' : ` (default: ${usual})`}\n`
    return print(assumptions.map(toLine).join(''))
  },
})
