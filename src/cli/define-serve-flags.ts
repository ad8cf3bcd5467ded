// The flags of `serve`, most of which `exec` has too, as commander takes them.
import type { Command } from 'commander'
import { list } from '../contract/schema.ts'
import { flag, listFlag, valueFlag } from './flag.ts'
import {
  LOG_STYLES,
  type LogStyle,
  parseAddress,
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
import { DEFAULT_PORT, DEFAULT_SCENARIO } from './serve-flags.ts'

export function addServeFlags(command: Command): Command {
  const port = valueFlag('-p, --port <n>', `port (default: ${DEFAULT_PORT} or the next free one; 0 picks any)`, parsePort)
  return addMockFlags(command.optionsGroup('Where it listens:').addOption(port), 'stdout', 'pretty').addOption(
    flag('--open', 'open the console in the browser'),
  )
}

/** All of them but those that only make sense with someone at the screen. */
export function addMockFlags(command: Command, logTo: 'stdout' | 'stderr', log: LogStyle): Command {
  return command
    .optionsGroup('Where it listens:')
    .addOption(valueFlag('--host <address>', 'address (default: 127.0.0.1 and ::1)', parseAddress))
    .addOption(listFlag('--allowed-host <host...>', 'names it answers to, beside localhost and IP addresses', parseHostName))
    .optionsGroup('What it holds:')
    .addOption(flag('-s, --scenario <name|file>', 'the situation to start from').default(DEFAULT_SCENARIO))
    .addOption(flag('--watch', 'load the file again when it changes, if it is in order'))
    .addOption(valueFlag('--seed <n>', "generated animals instead of the scenario's", parseInteger))
    .addOption(valueFlag('--count <n>', 'how many of them', parseCount))
    .addOption(valueFlag('--now <date>', "where the mock's clock starts, as in 2030-12-06", parseNow))
    .addOption(flag('--frozen', 'stop the clock there'))
    .optionsGroup('How it behaves:')
    .addOption(listFlag('--api-key <key...>', 'the valid keys (default: any but "invalid")', parseApiKey))
    .addOption(flag('--sandbox', 'every API key gets a world of its own'))
    .addOption(valueFlag('--delay <ms|min-max>', 'hold every answer back', parseDelay))
    .addOption(
      listFlag('--fail <failure...>', 'break an operation: createPet=503, or only the first two times: createPet=503:2', parseFail),
    )
    .addOption(listFlag('--assume <question=choice...>', 'choose where the interface is silent', parseAssume))
    .optionsGroup('Who may use it:')
    .addOption(listFlag('--cors-origin <origin...>', 'pages that may read answers; "*" for all (default: loopback ones)', parseOrigin))
    .addOption(valueFlag('--control-token <token>', 'ask for this token under /__mock', parseToken))
    .addOption(flag('--no-control', 'no control API and no console'))
    .optionsGroup('What it says:')
    .addOption(
      flag('--log <style>', `a line for each request, to ${logTo}: ${list(LOG_STYLES, 'or')}`)
        .choices(LOG_STYLES)
        .default(log),
    )
    .addOption(flag('--ready-file <file>', 'write the address there once it listens'))
}
