// One row per setting, as text: its flags, how their values become a setting, and how a state shows
// it. The help, the variables, the bindings of a Worker, `status` and the banner are derived from
// the rows.
import { UsageError } from '../../contract/errors.ts'
import { checkValue, TEXT } from '../../contract/options.ts'
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
import {
  findListedKeys,
  RESERVED_KEY,
  type ReadScenario,
  type Settings,
} from '../../world/scenario.ts'
import { SEED, type Surprise, surpriseSchema } from '../../world/surprise.ts'
import { apiKeySchema, controlTokenSchema, corsOriginSchema, playerSchema } from './access.ts'
import { checkLatency } from './duration.ts'
import { type FlagTable, type FlagValues, nameVariable, parseBy, parseNumberBy } from './flag.ts'
import { mergeChoices, parseAssume } from './parse-choices.ts'
import { parseFault } from './parse-fault.ts'

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

export const surpriseFlags = {
  surprise: {
    syntax: '--surprise <seed>',
    help: 'send unusual responses that the spec allows',
    parse: parseNumberBy(SEED),
  },
  kinds: {
    syntax: '--kinds <kind...>',
    help: 'kinds of surprises, as `surprise` lists them (default: mild)',
    parse: parseItem('kinds'),
  },
  only: {
    syntax: '--only <surprise...>',
    help: 'only these surprises of the seed, e.g. order@listPets#3',
    parse: parseItem('only'),
  },
} as const

/** What a host takes besides settings, on the command line and in a Worker. */
export const hostFlags = {
  sandbox: {
    syntax: '--sandbox',
    help: 'give every API key a sandbox: its own state',
  },
  corsOrigin: {
    syntax: '--cors-origin <origin...>',
    help:
      'let pages of these origins read responses; ' +
      '"*" for all but null (default: loopback only)',
    parse: parseBy<string>(corsOriginSchema),
  },
  controlToken: {
    syntax: '--control-token <token>',
    help: 'require this token for the control API and the console',
    parse: parseBy<string>(controlTokenSchema),
  },
  player: {
    syntax: '--player <address>',
    help: 'the page that opens links to recordings (default: that of the site)',
    parse: parseBy<string>(playerSchema),
  },
} as const

/** The two settings of the clock are one in words. */
type WordedSetting = Exclude<keyof Settings, 'now' | 'frozen'> | 'clock'

export const settingTexts = {
  apiKeys: row({
    label: 'API keys',
    flags: {
      apiKey: {
        syntax: '--api-key <key...>',
        help: `accept only these keys (default: any bearer token but "${RESERVED_KEY}")`,
        parse: parseBy<string>(apiKeySchema),
      },
    },
    read: (values) => ({ apiKeys: values.apiKey }),
    show(state) {
      const listed = findListedKeys(state)
      return listed ? [`${listed.length} listed`] : []
    },
  }),

  clock: row({
    label: 'Clock',
    flags: {
      now: {
        syntax: '--now <date>',
        help: "where the mock's clock starts, e.g. 2030-12-06",
        parse: parseNow,
      },
      frozen: {
        syntax: '--frozen',
        help: 'stop the clock there',
      },
    },
    read: (values) => ({ now: values.now, frozen: values.frozen }),
    show({ now, frozen = false }) {
      return now === undefined ? [] : [printClock({ now, frozen })]
    },
  }),

  latency: row({
    label: 'Latency',
    flags: {
      latency: {
        syntax: '--latency <duration|range>',
        help: 'delay every response: 200ms, 200-800, off',
        parse: checkLatency,
      },
    },
    read: (values) => ({ latency: values.latency }),
    show: (state) => (state.latency ? [describeDelay(state.latency)] : []),
  }),

  faults: row({
    label: 'Faults',
    flags: {
      fail: {
        syntax: '--fail <operation=what...>',
        help: 'add faults: createPet=503:2; `faults add --help` has the syntax',
        parse: parseFault,
      },
    },
    read: (values) => ({ faults: values.fail }),
    show: (state) => (state.faults ?? []).map(printLiveFault),
  }),

  surprise: row({
    label: 'Surprises',
    flags: surpriseFlags,
    read: (values, name) => ({ surprise: readSurprise(values, name) }),
    show: (state) => (state.surprise ? [printSurprise(state.surprise)] : []),
  }),

  assume: row({
    label: 'Assumes',
    flags: {
      assume: {
        syntax: '--assume <question=choice...>',
        help: 'choose behaviour that the API leaves open',
        parse: parseAssume,
      },
    },
    read: (values) => ({ assume: values.assume && mergeChoices(values.assume) }),
    show(state) {
      const choices = printChoices(state.assume ?? {})
      return choices.length > 0 ? [choices.join(', ')] : []
    },
  }),
} satisfies Record<WordedSetting, unknown>

export function readSettings(values: object, name?: (flag: string) => string): Settings {
  const parts = Object.values(settingTexts).map((text) => text.read(values as never, name))
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
  if (!kinds && !only) return undefined
  const lonely = name(kinds ? 'kinds' : 'only')
  throw new UsageError(`${lonely} needs a seed; set ${name('surprise')} too`)
}
