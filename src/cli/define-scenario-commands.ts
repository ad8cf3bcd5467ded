// The commands that need no running mock: about scenarios, generated animals and the interface's open questions.
import type { Command, Option } from 'commander'
import { list } from '../contract/schema.ts'
import { refuseArguments } from './define-mock-commands.ts'
import { flag, valueFlag } from './flag.ts'
import { toExamples } from './help.ts'
import { FORMATS, parseCount, parseInteger } from './parse-flags.ts'
import type { GenerateFlags, ShowFlags } from './scenario-commands.ts'

export function addScenarios(program: Command): void {
  const scenarios = program
    .command('scenarios')
    .description('the shipped scenarios; show one, check your own')
    .allowExcessArguments()
    .action(async (_flags, command: Command) => {
      refuseArguments(command, command)
      return (await load()).runScenarios()
    })
    .addHelpText('after', toExamples(['scenarios', 'scenarios show sold-out', 'scenarios check ./situation.yaml']))
  scenarios
    .command('show')
    .argument('<name|file>', 'a shipped scenario, or a file of your own')
    .description('the whole of a scenario, with what it extends and generates worked in')
    .addOption(formatFlag())
    .action(async (nameOrFile: string, flags: ShowFlags) => (await load()).runScenariosShow(nameOrFile, flags))
    .addHelpText('after', toExamples(['scenarios show sold-out --format yaml']))
  scenarios
    .command('check')
    .argument('<file...>', 'scenario files, JSON or YAML')
    .description('name every problem of scenario files; exit code 1 if there is any')
    .action(async (files: readonly string[]) => (await load()).runScenariosCheck(files))
    .addHelpText('after', toExamples(['scenarios check ./situation.yaml ./other.json']))
}

export function addGenerate(program: Command): void {
  program
    .command('generate')
    .description('animals to stdout, as a scenario')
    .addOption(valueFlag('--count <n>', 'how many', parseCount).default(10))
    .addOption(valueFlag('--seed <n>', 'which ones: the same for the same seed', parseInteger).default(1))
    .addOption(formatFlag())
    .action(async (flags: GenerateFlags) => (await load()).runGenerate(flags))
    .addHelpText('after', toExamples(['generate --count 5 --seed 7', 'generate --count 100 --format yaml > situation.yaml']))
}

export function addAssumptions(program: Command): void {
  program
    .command('assumptions')
    .description('every open question of the interface, the choice made, and why')
    .addOption(flag('--json', 'as JSON'))
    .action(async (flags: { readonly json?: boolean }) => (await import('./assumptions.ts')).runAssumptions(flags))
    .addHelpText('after', toExamples(['assumptions', 'assumptions --json', 'serve --assume invalid-query=clamp']))
}

function formatFlag(): Option {
  return flag('--format <format>', list(FORMATS, 'or')).choices(FORMATS).default('json')
}

function load() {
  return import('./scenario-commands.ts')
}
