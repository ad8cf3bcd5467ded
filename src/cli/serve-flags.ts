// The flags of a mock that is to be started: those of `serve`, most of which `exec` has too.
import type { Command } from 'commander'
import type { AssumptionChoices } from '../generated/contract.ts'
import type { Fault } from '../world/faults.ts'
import { flag, listFlag, valueFlag } from './flag.ts'
import {
  LOG_STYLES,
  type LogStyle,
  parseApiKey,
  parseAssume,
  parseCount,
  parseDelay,
  parseFail,
  parseHostName,
  parseInteger,
  parseNow,
  parseOrigin,
  parsePort,
  parseToken,
} from './parse-flags.ts'

export interface ServeFlags {
  /** Undefined if it was not asked for: then any will do. */
  readonly port?: number
  readonly host?: string
  readonly scenario: string
  readonly seed?: number
  readonly count?: number
  readonly apiKey?: readonly string[]
  readonly now?: string
  readonly frozen?: boolean
  readonly delay?: NonNullable<Fault['delay']>
  readonly fail?: readonly Fault[]
  readonly assume?: readonly Partial<AssumptionChoices>[]
  readonly sandbox?: boolean
  readonly corsOrigin?: readonly string[]
  readonly allowedHost?: readonly string[]
  readonly controlToken?: string
  readonly control: boolean
  readonly watch?: boolean
  readonly log: LogStyle
  readonly open?: boolean
  readonly readyFile?: string
}

export const DEFAULT_PORT = 7387

export function addServeFlags(command: Command): Command {
  return addMockFlags(
    command
      .optionsGroup('Where it listens:')
      .addOption(valueFlag('-p, --port <n>', `port; 0 picks a free one (default: ${DEFAULT_PORT}, or the next free one)`, parsePort)),
    'pretty',
  )
}

/** All of them but the port. */
export function addMockFlags(command: Command, log: LogStyle): Command {
  return command
    .optionsGroup('Where it listens:')
    .addOption(flag('--host <address>', 'address (default: 127.0.0.1 and ::1)'))
    .addOption(listFlag('--allowed-host <host...>', 'further names it answers to, beside localhost and IP addresses', parseHostName))
    .optionsGroup('What it holds:')
    .addOption(flag('-s, --scenario <name|file>', 'the situation to start from, shipped or your own').default('default'))
    .addOption(flag('--watch', 'reload the scenario file when it changes; a bad file keeps the last good world'))
    .addOption(valueFlag('--seed <n>', "generated animals instead of the scenario's: the same for the same seed", parseInteger))
    .addOption(valueFlag('--count <n>', 'how many of them', parseCount))
    .addOption(valueFlag('--now <date>', "where the mock's clock starts, as in 2030-12-06", parseNow))
    .addOption(flag('--frozen', 'stop the clock there'))
    .optionsGroup('How it behaves:')
    .addOption(listFlag('--api-key <key...>', 'only these keys are valid (default: any but "invalid")', parseApiKey))
    .addOption(flag('--sandbox', 'every API key gets a world of its own'))
    .addOption(valueFlag('--delay <ms|min-max>', 'hold every answer back', parseDelay))
    .addOption(listFlag('--fail <operation=status[:times]...>', 'break an operation, as in createPet=503:2', parseFail))
    .addOption(listFlag('--assume <question=choice...>', 'choose where the interface is silent (see: assumptions)', parseAssume))
    .optionsGroup('Who may use it:')
    .addOption(listFlag('--cors-origin <origin...>', 'pages that may read answers, beside loopback ones; "*" for all', parseOrigin))
    .addOption(valueFlag('--control-token <token>', 'ask for this token under /__mock', parseToken))
    .addOption(flag('--no-control', 'no control API and no console'))
    .optionsGroup('What it says:')
    .addOption(flag('--log <style>', 'a line for each request, to stdout').choices(LOG_STYLES).default(log))
    .addOption(flag('--open', 'open the console in the browser'))
    .addOption(flag('--ready-file <file>', 'write the address there once it listens'))
}
