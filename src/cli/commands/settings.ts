// `latency`, `assume`, `keys`, `clock`, `faults`, `sandboxes`: each shows a setting of a running
// mock, or changes it first.
import { notFound, UsageError } from '../../contract/errors.ts'
import type { AssumptionChoices } from '../../contract/generated/contract.ts'
import { questions } from '../../contract/generated/questions.ts'
import { joinWords } from '../../contract/problem.ts'
import type { ControlClient } from '../../control/client/client.ts'
import { checkLatency, parseLatency } from '../../scenario/settings/duration.ts'
import { mergeChoices, parseAssume } from '../../scenario/settings/parse-choices.ts'
import { parseFault } from '../../scenario/settings/parse-fault.ts'
import {
  describeDelay,
  printChoices,
  printClock,
  printLiveFault,
} from '../../world/describe-fault.ts'
import { FAULT_BODIES } from '../../world/fault-outcome.ts'
import type { Delay, Fault, LiveFault } from '../../world/faults.ts'
import { RESERVED_KEY } from '../../world/scenario.ts'
import { defineRemote } from '../lib/define-remote.ts'
import { alignColumns, notify } from '../lib/output.ts'

type Choices = Partial<AssumptionChoices>
type Questions = typeof questions
const WAYS = '--assume <question=choice>, `assume` in a scenario, or the console of a running mock'
const HOW_TO_CHOOSE = `To choose differently, use ${WAYS}. * marks the default.`
const BODIES = joinWords(Object.keys(FAULT_BODIES), 'or')

export const latencyCommand = defineRemote({
  summary: 'show the latency of a running mock, or change it',
  arguments: [['[value]', 'a duration like 200ms, a range like 200-800, or off', checkLatency]],
  examples: ['latency', 'latency 200-800', 'latency off'],
  async ask(mock, [delay]: readonly Delay[]) {
    if (delay === undefined) return mock.latency.get()
    await mock.latency.set(delay)
    return parseLatency(delay)
  },
  render: (latency) => [describeDelay(latency)],
})

export const assumeCommand = defineRemote({
  summary:
    'show the choices of a running mock where the spec is silent, or change some; --why explains ' +
    'them',
  arguments: [['[question=choice...]', 'choices to make', parseAssume]],
  flags: {
    why: { syntax: '--why', help: 'explain every question and its choices; needs no running mock' },
  },
  examples: ['assume', 'assume invalid-query=clamp', 'assume --why'],
  async ask(mock, given: readonly Choices[], flags): Promise<Choices | Questions> {
    if (flags.why) {
      if (given.length > 0) throw new UsageError('--why takes no choices')
      return questions
    }
    if (given.length === 0) {
      const assumptions = await mock.assumptions()
      return Object.fromEntries(assumptions.map(({ id, choice }) => [id, choice]))
    }
    const choices = mergeChoices(given)
    await mock.assume(choices)
    return choices
  },
  render(found) {
    if (!isQuestions(found)) return printChoices(found)
    return [...found.flatMap(explainQuestion), HOW_TO_CHOOSE]
  },
})

const isQuestions = (found: Choices | Questions): found is Questions => Array.isArray(found)

function explainQuestion(asked: Questions[number]): string[] {
  const rows = asked.choices.map(({ id, meaning }) => {
    const mark = id === asked.default ? '*' : ' '
    return [`${mark} ${id}`, meaning]
  })
  const lines = [asked.question, asked.silence, ...alignColumns(rows), `Why: ${asked.why}`]
  return [asked.id, ...lines.map((line) => `  ${line}`), '']
}

export const keysCommand = defineRemote({
  summary: 'show which API keys of a running mock are valid, or change them',
  examples: ['keys', 'keys set qa-key', 'keys set key-1,key-2', 'keys any', 'keys none'],
  actions: {
    set: {
      summary: 'make only these keys valid',
      arguments: [['<keys>', 'one key, or several with commas']],
      ask: (mock, [keys = '']: readonly string[]) => setKeys(mock, keys.split(',')),
    },
    any: {
      summary: `make any key valid, except "${RESERVED_KEY}"`,
      ask: (mock) => setKeys(mock, null),
    },
    none: {
      summary: 'make no key valid: every request gets 401',
      ask: (mock) => setKeys(mock, []),
    },
  },
  ask: (mock) => mock.keys.get(),
  render(keys) {
    if (keys === null) return [`Any key is valid, except "${RESERVED_KEY}"`]
    return keys.length === 0 ? ['No key is valid'] : keys
  },
})

async function setKeys(mock: ControlClient, keys: readonly string[] | null) {
  await mock.keys.set(keys)
  return mock.keys.get()
}

export const clockCommand = defineRemote({
  summary: 'show the clock of a running mock, or change it',
  examples: [
    'clock',
    'clock set 2030-12-06',
    'clock advance -90m',
    'clock freeze',
    'clock unfreeze',
    'clock real',
  ],
  actions: {
    set: {
      summary: 'set the clock to a date, or a date and time',
      arguments: [['<date>', '2030-12-06 or 2030-12-06T08:30:00Z']],
      ask: (mock, [date = '']: readonly string[]) => mock.clock.set(date),
    },
    advance: {
      summary: 'move the clock by a duration',
      arguments: [['<duration>', 'like 1d, -90m or PT30M']],
      // Commander takes a negative one for an option.
      configure(command) {
        command.allowUnknownOption()
      },
      ask: (mock, [duration = '']: readonly string[]) => mock.clock.advance(duration),
    },
    freeze: {
      summary: 'stop the clock',
      ask: (mock) => mock.clock.freeze(true),
    },
    unfreeze: {
      summary: 'let the clock run on',
      ask: (mock) => mock.clock.freeze(false),
    },
    real: {
      summary: 'follow real time again',
      ask: (mock) => mock.clock.set(null),
    },
  },
  ask: (mock) => mock.clock.get(),
  render: (clock) => [printClock(clock)],
})

export const faultsCommand = defineRemote<Record<never, never>, readonly LiveFault[]>({
  summary: 'list the faults of a running mock, or change them',
  examples: [
    'faults',
    'faults add createPet=503:2',
    "faults add '*=500@0.3'",
    'faults remove 1',
    'faults clear',
  ],
  actions: {
    add: {
      summary: 'add a fault',
      arguments: [['<fault>', 'a fault as --fail takes it', parseFault]],
      notes: [
        'A fault is an operation (or *) and what happens:',
        '  createPet=503                 responds 503; createPet=503:2 only twice, getPet/7=503 ' +
          'for one animal only',
        '  listPets.status=sold=503      only with this query parameter; createPet.name=Rex=503 ' +
          'with this field',
        '  listPets=drop                 closes the connection before the operation runs; ' +
          'listPets=drop@0.3 with this probability',
        '  listPets=rst                  resets the connection before the operation runs',
        '  createPet=lost                runs the operation, then closes the connection without ' +
          'its response',
        '  listPets=hold:2               holds two responses until you release them',
        '  listPets=200ms-1.5s           delays the response; listPets=1s:503:2 also fails twice',
        '  listPets=slow=2kB/s           sends the body slowly',
        `  listPets=200:truncated        runs, and responds with another body: ${BODIES}`,
        '  createPet=429:retry-after=30  sends Retry-After',
        '  listPets=429:after=3:times=2  skips three calls, then applies twice',
      ],
      ask: async (mock, [fault]: readonly Fault[]) => [await mock.faults.add(fault as Fault)],
    },
    remove: {
      summary: 'remove a fault',
      arguments: [['<id>', 'as faults lists it']],
      async ask(mock, [id = '']: readonly string[]) {
        if (await mock.faults.remove(id)) return mock.faults.list()
        throw notFound('Fault', id, [], '`faults` lists them with their ids')
      },
    },
    clear: {
      summary: 'remove all faults',
      async ask(mock) {
        await mock.faults.clear()
        return []
      },
    },
  },
  ask: (mock) => mock.faults.list(),
  render: (faults) => (faults.length === 0 ? ['No faults'] : faults.map(printLiveFault)),
})

export const sandboxesCommand = defineRemote({
  summary: 'list the sandboxes of a running mock, or remove one',
  examples: ['sandboxes', 'sandboxes remove worker-1'],
  isGlobal: true,
  actions: {
    remove: {
      summary: 'remove the sandbox of a key',
      arguments: [['<key>', 'its API key']],
      async ask(mock, [key = '']: readonly string[]) {
        if (await mock.removeSandbox(key)) return mock.sandboxes()
        throw notFound('Sandbox', key, await mock.sandboxes())
      },
    },
  },
  ask: (mock) => mock.sandboxes(),
  render(keys) {
    if (keys.length === 0)
      notify(
        'No sandboxes: in a mock with --sandbox, the first request with a valid key creates one',
      )
    return keys
  },
})
