// `verify`: whether a running mock has received the expected requests, for scripts in any language.
import { mismatch } from '../../contract/errors.ts'
import { contract, type OperationId } from '../../contract/generated/contract.ts'
import { tryJson } from '../../contract/int64-json.ts'
import { withoutUndefined } from '../../contract/values.ts'
import type { Verification } from '../../control/control.ts'
import { describeExpectation } from '../../control/method-inputs.ts'
import type { Expectation } from '../../control/rows/verdict.ts'
import { type FlagValues, parseBy, parseNumberBy } from '../../scenario/settings/flag.ts'
import { defineRemote } from '../lib/define-remote.ts'

type Field = readonly [name: string, value: unknown]

const schemas = describeExpectation()

const flags = {
  times: { syntax: '--times <n>', help: 'exactly this many', parse: parseNumberBy(schemas.times) },
  atLeast: {
    syntax: '--at-least <n>',
    help: 'at least this many (default: 1)',
    parse: parseNumberBy(schemas.atLeast),
  },
  atMost: {
    syntax: '--at-most <n>',
    help: 'at most this many',
    parse: parseNumberBy(schemas.atMost),
  },
  query: {
    syntax: '--query <name=value...>',
    help: 'with these query parameters',
    parse: parseText,
  },
  body: {
    syntax: '--body <name=value...>',
    help: 'with these fields in the JSON body; numbers, true, false and null are values',
    parse: parseField,
  },
  header: {
    syntax: '--header <name=value...>',
    help: 'with these header fields',
    parse: parseText,
  },
  petId: {
    syntax: '--pet-id <id>',
    help: 'for the animal with this id',
    parse: parseNumberBy(schemas.petId),
  },
  status: {
    syntax: '--status <n>',
    help: 'that got this status; 0 for no response',
    parse: parseNumberBy(schemas.status),
  },
  key: {
    syntax: '--key <key>',
    help: 'that were sent with this API key',
    parse: parseBy<string>(schemas.apiKey),
  },
} as const

export const verifyCommand = defineRemote<typeof flags, Verification>({
  summary: 'check which requests a running mock has received; exit code 1 if it has not',
  arguments: [
    [
      '[operation]',
      'an operation such as createPet; by default any',
      parseBy<OperationId>(schemas.operation),
    ],
  ],
  flags,
  examples: [
    'verify createPet --times 1 --body name=Rex',
    'verify listPets --query status=sold --at-least 2',
    'verify createPet --status 400 --times 0',
  ],
  ask(mock, [operation]: readonly OperationId[], values) {
    return mock.verify(readExpectation(operation, values))
  },
  isFailure: ({ ok }) => !ok,
  render: ({ message }) => message.split('\n'),
})

function readExpectation(
  operation: OperationId | undefined,
  values: FlagValues<typeof flags>,
): Expectation {
  const { times, atLeast, atMost, petId, status, key } = values
  return withoutUndefined({
    operation,
    times,
    atLeast,
    atMost,
    petId,
    status,
    apiKey: key,
    query: values.query && Object.fromEntries(values.query),
    headers: values.header && Object.fromEntries(values.header),
    body: values.body && Object.fromEntries(values.body),
  }) as Expectation
}

function parseText(text: string): Field {
  const end = text.indexOf('=')
  if (end > 0) return [text.slice(0, end), text.slice(end + 1)]
  throw mismatch('', 'a name and a value, like status=sold', { got: text })
}

/** A field that the contract knows as text stays text: `name=7` is the name `7`. */
function parseField(text: string): Field {
  const [name, value] = parseText(text)
  const known: Readonly<Record<string, { readonly type: string }>> = contract.schemas.Pet.properties
  const isText = Object.hasOwn(known, name) && known[name]?.type === 'string'
  if (isText || typeof value !== 'string') return [name, value]
  const parsed = tryJson(value)
  return [name, parsed === undefined ? value : parsed]
}
