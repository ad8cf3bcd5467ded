// One row per setting, as text: its flags, how their values become a setting, and how a state shows
// it. The help, the variables, the bindings of a Worker, `status` and the banner are derived from
// the rows.
import { mismatch, UsageError } from '../../contract/errors.ts'
import type { AssumptionChoices } from '../../contract/generated/contract.ts'
import { parseInt64 } from '../../contract/int64-json.ts'
import { checkValue, TEXT } from '../../contract/options.ts'
import { suggest } from '../../contract/problem.ts'
import type { Schema } from '../../contract/schema.ts'
import { withoutUndefined } from '../../contract/values.ts'
import { findInstantProblems } from '../../world/clock.ts'
import {
  describeDelay,
  printChoices,
  printClock,
  printLiveFault,
  printSurprise,
} from '../../world/describe-fault.ts'
import { FAULT_BODIES } from '../../world/fault-outcome.ts'
import type { Fault } from '../../world/faults.ts'
import {
  findListedKeys,
  RESERVED_KEY,
  type ReadScenario,
  type Settings,
} from '../../world/scenario.ts'
import { SEED, type Surprise, surpriseSchema } from '../../world/surprise.ts'
import { checkLatency } from './duration.ts'
import { type FlagTable, type FlagValues, nameVariable, parseBy } from './flag.ts'
import {
  apiKeySchema,
  assumeSchema,
  controlTokenSchema,
  corsOriginSchema,
  faultSchema,
  findFlaws,
} from './rows.ts'

type GivenSettings = { readonly [Name in keyof Settings]?: Settings[Name] | undefined }

interface SettingText<Table extends FlagTable> {
  readonly label: string
  readonly flags: Table
  read(values: FlagValues<Table>, name?: (flag: string) => string): GivenSettings
  /** One text per line; none for the default. */
  show(state: ReadScenario): readonly string[]
}

const row = <const Table extends FlagTable>(text: SettingText<Table>): SettingText<Table> => text

const parseNow = (text: string): string => checkValue(TEXT, text, '', findInstantProblems)
const parseItem = (list: 'kinds' | 'only') =>
  parseBy<string>(surpriseSchema.properties?.[list]?.items as Schema)

const KINDS_HELP = 'kinds of surprises, as `surprise` lists them (default: mild)'
const ONLY_HELP = 'only these surprises of the seed, e.g. order@listPets#3'
const LATENCY_HELP = 'delay every response: 200ms, 200-800, off'
const ASSUME_HELP = 'choose behaviour that the API leaves open'
const FAIL_HELP = 'add faults, as `faults add --help` explains: createPet=503:2'
const KEY_HELP = `accept only these keys (default: any bearer token but "${RESERVED_KEY}")`
const TOKEN_HELP = 'require this token for the control API and the console'
const CORS_HELP =
  'let pages of these origins read responses; "*" for all but null (default: loopback only)'

export const surpriseFlags = {
  surprise: {
    syntax: '--surprise <seed>',
    help: 'send unusual responses that the spec allows',
    parse: parseBy(SEED),
  },
  kinds: { syntax: '--kinds <kind...>', help: KINDS_HELP, parse: parseItem('kinds') },
  only: { syntax: '--only <surprise...>', help: ONLY_HELP, parse: parseItem('only') },
} as const

/** What a host takes besides settings, on the command line and in a Worker. */
export const hostFlags = {
  sandbox: { syntax: '--sandbox', help: 'give every API key a sandbox: its own state' },
  corsOrigin: {
    syntax: '--cors-origin <origin...>',
    help: CORS_HELP,
    parse: parseBy<string>(corsOriginSchema),
  },
  controlToken: {
    syntax: '--control-token <token>',
    help: TOKEN_HELP,
    parse: parseBy<string>(controlTokenSchema),
  },
} as const

export const settingTexts = {
  apiKeys: row({
    label: 'API keys',
    flags: {
      apiKey: {
        syntax: '--api-key <key...>',
        help: KEY_HELP,
        parse: parseBy<string>(apiKeySchema),
      },
    },
    read: ({ apiKey }) => ({ apiKeys: apiKey }),
    show: (state) =>
      [findListedKeys(state)].flatMap((listed) => (listed ? `${listed.length} listed` : [])),
  }),
  clock: row({
    label: 'Clock',
    flags: {
      now: {
        syntax: '--now <date>',
        help: "where the mock's clock starts, e.g. 2030-12-06",
        parse: parseNow,
      },
      frozen: { syntax: '--frozen', help: 'stop the clock there' },
    },
    read: ({ now, frozen }) => ({ now, frozen }),
    show: ({ now, frozen = false }) => (now === undefined ? [] : [printClock({ now, frozen })]),
  }),
  latency: row({
    label: 'Latency',
    flags: {
      latency: { syntax: '--latency <duration|range>', help: LATENCY_HELP, parse: checkLatency },
    },
    read: ({ latency }) => ({ latency }),
    show: ({ latency }) => (latency ? [describeDelay(latency)] : []),
  }),
  faults: row({
    label: 'Faults',
    flags: { fail: { syntax: '--fail <operation=what...>', help: FAIL_HELP, parse: parseFault } },
    read: ({ fail }) => ({ faults: fail }),
    show: ({ faults = [] }) => faults.map(printLiveFault),
  }),
  surprise: row({
    label: 'Surprises',
    flags: surpriseFlags,
    read: (values, name) => ({ surprise: readSurprise(values, name) }),
    show: ({ surprise }) => (surprise ? [printSurprise(surprise)] : []),
  }),
  assume: row({
    label: 'Assumes',
    flags: {
      assume: { syntax: '--assume <question=choice...>', help: ASSUME_HELP, parse: parseAssume },
    },
    read: ({ assume }) => ({ assume: assume && mergeChoices(assume) }),
    show: ({ assume = {} }) => [printChoices(assume).join(', ')].filter((line) => line !== ''),
  }),
}

export function readSettings(values: object, name?: (flag: string) => string): Settings {
  const parts = Object.values(settingTexts).map(({ read }) => read(values as never, name))
  return withoutUndefined(Object.assign({}, ...parts))
}

/**
 * The parsers of the command line and the kits do not know whether a value is from a flag or a
 * variable.
 */
const nameBoth = (flag: string) => `--${flag} or ${nameVariable(`--${flag}`)}`

export function readSurprise(
  values: FlagValues<typeof surpriseFlags>,
  name = nameBoth,
): Surprise | undefined {
  const { surprise: seed, kinds, only } = values
  if (seed !== undefined) return withoutUndefined({ seed, kinds, only }) as Surprise
  if (kinds || only)
    throw new UsageError(
      `${name(kinds ? 'kinds' : 'only')} needs a seed; set ${name('surprise')} too`,
    )
  return undefined
}

export function parseAssume(text: string): Partial<AssumptionChoices> {
  const [, question, choice] = /^([^=]+)=([^=]+)$/.exec(text) ?? []
  if (question === undefined)
    throw mismatch('', 'a question and a choice like invalid-query=clamp', { got: text })
  return checkValue(assumeSchema, { [question]: choice })
}

export const mergeChoices = (
  given: readonly Partial<AssumptionChoices>[],
): Partial<AssumptionChoices> => Object.fromEntries(given.flatMap((one) => Object.entries(one)))

const NUMBERS = { 'retry-after': 'retryAfter', times: 'times', after: 'after' } as const
const WORDS = [
  'drop',
  ...Object.keys(FAULT_BODIES),
  ...Object.keys(NUMBERS).map((name) => `${name}=`),
]
const FAULT = /^([^=/]+)(?:\/([^=]*))?=([^@]+)(?:@(.+))?$/

/**
 * An operation or `*`, perhaps `/` and an animal's id; `=` and words between colons; perhaps `@`
 * and a probability.
 */
export function parseFault(text: string): Fault {
  const [, operation, petId, words = '', rate] = FAULT.exec(text) ?? []
  if (!operation)
    throw mismatch('', 'an operation and what happens, like createPet=503 or listPets=drop', {
      got: text,
    })
  const fault: Record<string, unknown> = { operation }
  if (petId !== undefined) fault.petId = parseInt64(petId) ?? petId
  if (rate !== undefined) fault.rate = /^[\d.e-]+$/.test(rate) ? Number(rate) : rate
  for (const word of words.split(':')) {
    const [name, value] = parseFaultWord(word, fault)
    if (name in fault) throw new UsageError(`${JSON.stringify(word)}: ${name} is given twice`)
    fault[name] = value
  }
  return checkValue(faultSchema, fault, '', findFlaws) as unknown as Fault
}

/**
 * The first number is the status, the next the count. After `drop`, a body or a delay, a short
 * number is the count.
 */
function parseFaultWord(
  word: string,
  { status, drop, body, delay }: Record<string, unknown>,
): [keyof Fault, unknown] {
  const [name = '', value] = word.split('=', 2)
  if (word === 'drop') return ['drop', true]
  if (Object.hasOwn(FAULT_BODIES, word)) return ['body', word]
  const isShort = /^\d{1,2}$/.test(word)
  if (isShort && [status, drop, body, delay].every((one) => one === undefined))
    throw new UsageError(
      `${JSON.stringify(word)}: expected a status first; for how often, write times=${word}`,
    )
  const isCount = isShort || status !== undefined || drop !== undefined
  if (/^[1-9]\d{0,14}$/.test(word)) return [isCount ? 'times' : 'status', Number(word)]
  if (Object.hasOwn(NUMBERS, name) && /^\d{1,15}$/.test(value ?? ''))
    return [NUMBERS[name as 'times'], Number(value)]
  if (/^[\dP]/.test(word) && !/^[\d.]+$/.test(word)) return ['delay', word]
  throw new UsageError(
    `${JSON.stringify(word)} is not a number from 1 or a delay like 200ms; ${suggest(name, WORDS)}`,
  )
}
