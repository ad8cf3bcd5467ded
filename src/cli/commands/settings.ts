// `latency`, `assume`, `clock`, `faults`, `sandboxes`: each shows a setting of a running mock, or
// changes it first.
import { notFound, UsageError } from '../../contract/errors.ts'
import type { AssumptionChoices } from '../../contract/generated/contract.ts'
import { questions } from '../../contract/generated/questions.ts'
import { joinWords } from '../../contract/problem.ts'
import { checkLatency, parseLatency } from '../../scenario/settings/duration.ts'
import { mergeChoices, parseAssume, parseFault } from '../../scenario/settings/texts.ts'
import {
  describeDelay,
  printChoices,
  printClock,
  printLiveFault,
} from '../../world/describe-fault.ts'
import { FAULT_BODIES } from '../../world/fault-outcome.ts'
import type { Delay, Fault, LiveFault } from '../../world/faults.ts'
import { alignColumns, notify } from '../lib/output.ts'
import { defineRemote } from '../lib/with-mock.ts'

type Choices = Partial<AssumptionChoices>
const WAYS = '--assume <question=choice>, `assume` in a scenario, or the console of a running mock'
const HOW_TO_CHOOSE = `To choose differently, use ${WAYS}. * marks the default.`
const BODIES = joinWords(Object.keys(FAULT_BODIES), 'or')

export const latencyCommand = defineRemote({
  summary: 'show the latency of a running mock, or change it',
  arguments: [['[value]', 'a duration like 200ms, a range like 200-800, or off', checkLatency]],
  examples: ['latency', 'latency 200-800', 'latency off'],
  ask: ({ latency }, [delay]: readonly Delay[]) =>
    delay === undefined ? latency.get() : latency.set(delay).then(() => parseLatency(delay)),
  render: (latency) => [describeDelay(latency)],
})

export const assumeCommand = defineRemote({
  summary:
    'show the choices of a running mock where the spec is silent, or change some; --why explains them',
  arguments: [['[question=choice...]', 'choices to make', parseAssume]],
  flags: {
    why: { syntax: '--why', help: 'explain every question and its choices; needs no running mock' },
  },
  examples: ['assume', 'assume invalid-query=clamp', 'assume --why'],
  async ask(mock, given: readonly Choices[], { why }): Promise<Choices | typeof questions> {
    if (why && given.length > 0) throw new UsageError('--why takes no choices')
    if (why) return questions
    if (given.length === 0)
      return Object.fromEntries((await mock.assumptions()).map(({ id, choice }) => [id, choice]))
    const choices = mergeChoices(given)
    await mock.assume(choices)
    return choices
  },
  render: (found) =>
    'map' in found ? [...found.flatMap(explainQuestion), HOW_TO_CHOOSE] : printChoices(found),
})

function explainQuestion({
  id,
  question,
  silence,
  why,
  choices,
  default: preset,
}: (typeof questions)[number]) {
  const options = alignColumns(
    choices.map((one) => [`${one.id === preset ? '*' : ' '} ${one.id}`, one.meaning]),
  )
  return [id, ...[question, silence, ...options, `Why: ${why}`].map((line) => `  ${line}`), '']
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
      ask: ({ clock }, [date = '']: readonly string[]) => clock.set(date),
    },
    advance: {
      summary: 'move the clock by a duration',
      arguments: [['<duration>', 'like 1d, -90m or PT30M']],
      // Commander takes a negative one for an option.
      configure: (command) => void command.allowUnknownOption(),
      ask: ({ clock }, [duration = '']: readonly string[]) => clock.advance(duration),
    },
    freeze: { summary: 'stop the clock', ask: ({ clock }) => clock.freeze(true) },
    unfreeze: { summary: 'let the clock run on', ask: ({ clock }) => clock.freeze(false) },
    real: { summary: 'follow real time again', ask: ({ clock }) => clock.set(null) },
  },
  ask: ({ clock }) => clock.get(),
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
        '  createPet=503                 responds 503; createPet=503:2 only twice, getPet/7=503 for one animal only',
        '  listPets=drop                 closes the connection; listPets=drop@0.3 with this probability',
        '  listPets=200ms-1.5s           delays the response; listPets=1s:503:2 also fails twice',
        `  listPets=200:truncated        runs, and responds with another body: ${BODIES}`,
        '  createPet=429:retry-after=30  sends Retry-After',
        '  listPets=429:after=3:times=2  skips three calls, then applies twice',
      ],
      ask: async ({ faults }, [fault]: readonly Fault[]) => [await faults.add(fault as Fault)],
    },
    remove: {
      summary: 'remove a fault',
      arguments: [['<id>', 'as faults lists it']],
      async ask({ faults }, [id = '']: readonly string[]) {
        if (await faults.remove(id)) return faults.list()
        throw notFound('Fault', id, [], '`faults` lists them with their ids')
      },
    },
    clear: { summary: 'remove all faults', ask: ({ faults }) => faults.clear().then(() => []) },
  },
  ask: ({ faults }) => faults.list(),
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
