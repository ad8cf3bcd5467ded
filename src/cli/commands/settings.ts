// `latency`, `assume`, `clock`, `faults`: each shows a setting of a running mock, and changes it if words follow.
import type { ControlClient } from '../../client/client.ts'
import { escapeUnsafe } from '../../client/escape.ts'
import { UsageError } from '../../contract/errors.ts'
import { list } from '../../contract/schema.ts'
import { parseAssume, parseFail, parseLatency } from '../../hosts/parse-settings.ts'
import { type CliCommand, defineCommand } from '../command.ts'
import { flagTables } from '../flags.ts'
import { print, toDocumentText } from '../print-document.ts'
import { toClockText, toFaultText, toLatencyText } from '../say.ts'
import { withState } from '../with-mock.ts'

interface Setting<T> extends Pick<CliCommand, 'summary' | 'arguments' | 'examples' | 'notes' | 'configure'> {
  /** Called only if words follow the command. */
  change(mock: ControlClient, words: readonly string[]): Promise<unknown>
  read(mock: ControlClient): Promise<T>
  /** One text for each line. */
  render(value: T): readonly string[]
}

function defineSetting<T>({ change, read, render, ...command }: Setting<T>): CliCommand {
  return defineCommand({
    ...command,
    flags: flagTables.setting,
    async run({ json, ...flags }, words) {
      const creates = words.length > 0
      const use = async (mock: ControlClient) => {
        if (creates) await change(mock, words)
        return read(mock)
      }
      const value = await withState(flags, use, { creates })
      await print(
        json
          ? await toDocumentText(value, 'json')
          : render(value)
              .map((line) => `${escapeUnsafe(line)}\n`)
              .join(''),
      )
    },
  })
}

export const latencyCommand = defineSetting({
  summary: 'show the latency of a running mock, or change it',
  arguments: [['[value]', 'milliseconds like 200, a range like 200-800, or off']],
  examples: ['latency', 'latency 200-800', 'latency off'],
  change: ({ latency }, [value = '']) => latency.set(value === 'off' ? null : readWord('latency', value, parseLatency, ', or off')),
  read: ({ latency }) => latency.get(),
  render: (latency) => [latency === null ? 'none' : toLatencyText(latency)],
})

export const assumeCommand = defineSetting({
  summary: 'show the choices of a running mock where the spec is silent, or change some',
  arguments: [['[question=choice...]', 'choices to make; animal-store-mock assumptions explains them']],
  examples: ['assume', 'assume invalid-query=clamp', 'assume default-status=available error-codes=snake'],
  change: (mock, words) => mock.assume(Object.assign({}, ...words.map((word) => readWord('assume', word, parseAssume)))),
  read: async (mock) => Object.fromEntries((await mock.assumptions()).map(({ id, choice }) => [id, choice])),
  render: (choices) => Object.entries(choices).map(([id, choice]) => `${id}=${choice}`),
})

export const clockCommand = defineSetting({
  summary: 'show, set, advance, freeze or unfreeze the clock of a running mock, or set it to real time',
  arguments: [
    ['[action]', 'set, advance, freeze, unfreeze or real'],
    ['[value]', 'a date for set, an ISO 8601 duration for advance'],
  ],
  examples: ['clock', 'clock set 2030-12-06', 'clock advance P1D', 'clock advance -PT1H', 'clock freeze', 'clock real'],
  // A negative duration looks like a flag.
  configure: (command) => void command.allowUnknownOption(),
  change: (mock, words) =>
    act('clock', mock, words, {
      set: { needs: 'a date is required, e.g. 2030-12-06', run: ({ clock }, [date = '']) => clock.set(date) },
      advance: { needs: 'an ISO 8601 duration is required, e.g. P1D', run: ({ clock }, [duration = '']) => clock.advance(duration) },
      freeze: { run: ({ clock }) => clock.freeze(true) },
      unfreeze: { run: ({ clock }) => clock.freeze(false) },
      real: { run: ({ clock }) => clock.set(null) },
    }),
  read: ({ clock }) => clock.get(),
  render: (clock) => [toClockText(clock)],
})

export const faultsCommand = defineSetting({
  summary: 'list, add, remove or clear the faults of a running mock',
  arguments: [
    ['[action]', 'add, remove or clear'],
    ['[what...]', 'for add, faults as --fail takes them; for remove, their ids'],
  ],
  examples: ['faults', 'faults add createPet=503:2', "faults add '*=500@0.3' listPets=200:truncated", 'faults remove 1', 'faults clear'],
  notes: [
    'A fault is an operation (or *) and what happens:',
    '  createPet=503           responds 503; createPet=503:2 only twice',
    '  listPets=drop           closes the connection',
    '  listPets=200-800ms      delays the response',
    '  listPets=502:html       another body: html, truncated, not-json or empty',
    '  listPets=200:truncated  the operation runs, and half of its response arrives',
    '  getPet/7=404            for one animal only',
    '  *=500@0.3               with this probability',
  ],
  change: (mock, words) =>
    act('faults', mock, words, {
      add: { needs: 'a fault is required, e.g. createPet=503:2', run: addFaults },
      remove: { needs: 'an id is required', run: removeFaults },
      clear: { run: ({ faults }) => faults.clear() },
    }),
  read: ({ faults }) => faults.list(),
  render: (faults) => (faults.length === 0 ? ['No faults'] : faults.map(toFaultText)),
})

interface Action {
  /** What to say if nothing follows; absent where nothing may. */
  readonly needs?: string
  run(mock: ControlClient, words: readonly string[]): Promise<unknown>
}

/** Does what the first word says with the others. */
async function act(command: string, mock: ControlClient, words: readonly string[], actions: Readonly<Record<string, Action>>) {
  const [name = '', ...rest] = words
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (!action) throw new UsageError(`${command}: expected ${list(Object.keys(actions), 'or')}, got ${JSON.stringify(name)}`)
  if (action.needs === undefined && rest.length > 0) throw new UsageError(`${command} ${name}: unexpected ${JSON.stringify(rest[0])}`)
  if (action.needs !== undefined && rest.length === 0) throw new UsageError(`${command} ${name}: ${action.needs}`)
  await action.run(mock, rest)
}

/** All words are read before anything changes. */
async function addFaults({ faults }: ControlClient, words: readonly string[]): Promise<void> {
  for (const fault of words.map((word) => readWord('faults add', word, parseFail))) await faults.add(fault)
}

async function removeFaults({ faults }: ControlClient, ids: readonly string[]): Promise<void> {
  const known = (await faults.list()).map(({ id }) => id)
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown !== undefined) {
    const hint = known.length === 0 ? 'there are none' : `known ids: ${known.join(', ')}`
    throw new UsageError(`faults remove: there is no fault ${JSON.stringify(unknown)}; ${hint}`)
  }
  for (const id of ids) await faults.remove(id)
}

/** The value of a word; an error names the command and what was typed. */
function readWord<T>(command: string, word: string, parse: (text: string) => T, alternative = ''): T {
  try {
    return parse(word)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(error.problems.map((problem) => `${command} ${word}: ${problem}${alternative}`))
  }
}
