// One flag of the command line, which a variable of the environment can set as well.
import { InvalidArgumentError, Option } from 'commander'
import { isUsageError, UsageError } from '../contract/errors.ts'
import { splitList } from './parse-flags.ts'

const PREFIX = 'ANIMAL_STORE_'

/** A flag with its variable: `--cors-origin` is ANIMAL_STORE_CORS_ORIGIN, unless another name is given. */
export function flag(flags: string, description: string, variable?: string): Option {
  const option = new Option(flags, description)
  const longName = option.long ?? ''
  return option.env(PREFIX + (variable ?? longName.slice(2).replaceAll('-', '_').toUpperCase()))
}

/** A flag whose text has to be read. */
export function valueFlag<T>(flags: string, description: string, parse: (text: string) => T, variable?: string): Option {
  return flag(flags, description, variable).argParser((text: string) => read(text, parse))
}

/** A flag that may be given several times, or once with several values. */
export function listFlag<T>(flags: string, description: string, parse: (text: string) => T): Option {
  return flag(flags, description).argParser((text: string, before: readonly T[] | undefined) => [
    ...(before ?? []),
    ...splitList(text).map((part) => read(part, parse)),
  ])
}

/** Has commander name the flag, or the variable, along with what is wrong. */
function read<T>(text: string, parse: (text: string) => T): T {
  try {
    return parse(text)
  } catch (error) {
    if (isUsageError(error)) throw new InvalidArgumentError(error.message)
    throw error
  }
}

const ON = ['1', 'true', 'yes', 'on']
const OFF = ['0', 'false', 'no', 'off']

/** Commander takes any value of a switch's variable for "on", and an empty one for a value: here neither counts. */
export function tidyVariables(options: readonly Option[], environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment)) if (name.startsWith(PREFIX) && environment[name] === '') delete environment[name]
  for (const { envVar, required, optional } of options) {
    const value = envVar === undefined ? undefined : environment[envVar]?.toLowerCase()
    if (envVar === undefined || value === undefined || required || optional || ON.includes(value)) continue
    if (!OFF.includes(value)) throw new UsageError(`${envVar}: expected 1 or 0, got ${JSON.stringify(environment[envVar])}`)
    delete environment[envVar]
  }
}
