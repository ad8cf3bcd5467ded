// The limits of src/contract/limits.ts: what fits is accepted, and one more is not.
import { describe, expect, it } from 'vitest'
import { calibrate } from '../../src/calibrate/calibrate.ts'
import * as limits from '../../src/contract/limits.ts'
import { isLongLink } from '../../src/control/text/link.ts'
import { serve } from '../../src/hosts/node/serve.ts'
import { createMock, UsageError } from '../../src/index.ts'
import { expandScenario } from '../../src/scenario/expand.ts'
import { generatePets } from '../../src/scenario/generated-animals.ts'
import { readRecording } from '../../src/scenario/recording/read.ts'
import { toCall } from '../support/call.ts'
import { startControl } from '../support/control-client.ts'

const LIST = toCall('GET', '/v1/pets')

const PROOFS: Readonly<Record<string, () => void | Promise<void>>> = {
  async MAX_HEADER_BYTES() {
    const { call, url } = await startControl()
    expect((await call('/v1/pets')).status).toBe(200)
    const response = await fetch(`${url}/pets`, {
      headers: { 'x-long': 'x'.repeat(limits.MAX_HEADER_BYTES) },
    })
    expect(response.status).toBe(431)
  },
  MAX_PAST_BYTES() {
    const { control } = createMock()
    const name = 'x'.repeat(2 ** 20)
    const pets = Array.from({ length: 64 }, (_, index) => ({ id: index + 1, name, categoryId: 1 }))
    const loads = Math.ceil(limits.MAX_PAST_BYTES / (pets.length * name.length)) + 2
    for (let index = 0; index < loads; index++) control.load({ pets })
    expect(() => control.state({ before: 1, pets: false })).toThrow(UsageError)
    expect(control.state({ before: loads, pets: false }).nextId).toBe(pets.length + 1)
  },
  MAX_DELAY_MS() {
    const { control } = createMock()
    expect(control.faults.add({ operation: '*', delay: limits.MAX_DELAY_MS })).toMatchObject({
      delay: limits.MAX_DELAY_MS,
    })
    expect(() => control.faults.add({ operation: '*', delay: limits.MAX_DELAY_MS + 1 })).toThrow(
      UsageError,
    )
    expect(() => createMock({ scenario: { latency: limits.MAX_DELAY_MS + 1 } })).toThrow(UsageError)
    const sent = toCall('GET', '/v1/pets', undefined, 'k', {
      prefer: `delay=${limits.MAX_DELAY_MS + 1}`,
    })
    expect(createMock().answer(sent).headers['Preference-Applied']).toBeUndefined()
  },
  MAX_ONWARD_ROWS() {
    const mock = createMock({ requestLog: { rows: limits.MAX_ONWARD_ROWS + 1 } })
    for (let count = 0; count <= limits.MAX_ONWARD_ROWS; count++) mock.answer(LIST)
    const onward = (id: number) => mock.control.whatIf(id, { latency: 5, onward: true })
    expect(onward(2).stoppedAt).toBe(null)
    expect(onward(1).stoppedAt).toBe(limits.MAX_ONWARD_ROWS + 1)
  },
  LONG_LINK_CHARACTERS() {
    expect(isLongLink({ url: 'x'.repeat(limits.LONG_LINK_CHARACTERS) })).toBe(false)
    expect(isLongLink({ url: 'x'.repeat(limits.LONG_LINK_CHARACTERS + 1) })).toBe(true)
  },
  MAX_ROW_CHOICE_CHARACTERS() {
    const mock = createMock()
    mock.answer(LIST)
    const choice = (length: number) => '1'.padEnd(length, ',1')
    const record = (length: number) => mock.control.recording({ rows: choice(length) })
    expect(record(limits.MAX_ROW_CHOICE_CHARACTERS - 1)).not.toBe('')
    expect(() => record(limits.MAX_ROW_CHOICE_CHARACTERS + 1)).toThrow(UsageError)
  },
  async MAX_HAR_ENTRIES() {
    const har = (count: number) => ({ log: { entries: new Array(count).fill({}) } })
    const most = limits.MAX_HAR_ENTRIES
    await expect(calibrate({ har: har(most + 1) })).rejects.toThrow(`${most} entries`)
    await expect(calibrate({ har: har(most) })).rejects.toThrow('no request')
  },
  MAX_LOGGED_BODY_CHARACTERS() {
    const mock = createMock()
    mock.answer(
      toCall('POST', '/v1/pets', {
        name: 'x'.repeat(limits.MAX_LOGGED_BODY_CHARACTERS),
        categoryId: 1,
      }),
    )
    expect(mock.control.requests()[0]?.request.body.length).toBeLessThan(
      limits.MAX_LOGGED_BODY_CHARACTERS + 100,
    )
  },
  async MAX_DOCUMENT_BYTES() {
    const { write } = await startControl()
    const document = (length: number) => `{"description":"${'x'.repeat(length - 18)}"}`
    expect((await write('PUT', '/state', document(limits.MAX_DOCUMENT_BYTES))).status).toBe(200)
    expect((await write('PUT', '/state', document(limits.MAX_DOCUMENT_BYTES + 1))).status).toBe(413)
  },
  async MAX_YAML_TEXT_BYTES() {
    const { write } = await startControl()
    const text = (length: number) => ({
      file: 'a.yaml',
      text: `name: é\n${' '.repeat(length - 9)}`,
    })
    expect((await write('PUT', '/state', text(limits.MAX_YAML_TEXT_BYTES))).status).toBe(200)
    expect((await write('PUT', '/state', text(limits.MAX_YAML_TEXT_BYTES + 1))).status).toBe(413)
  },
  MAX_FAULT_BODY_DEPTH() {
    const fault = (depth: number) => {
      const body = JSON.parse('['.repeat(depth) + ']'.repeat(depth))
      return { operation: '*', response: { status: 200, body } } as const
    }
    const { control } = createMock({ faults: [fault(limits.MAX_FAULT_BODY_DEPTH)] })
    for (const depth of [limits.MAX_FAULT_BODY_DEPTH + 1, 10_000])
      expect(() => control.faults.add(fault(depth))).toThrow(UsageError)
    const body: unknown[] = []
    body.push(body, body)
    const hidden = { toJSON: () => fault(limits.MAX_FAULT_BODY_DEPTH + 1).response.body }
    for (const one of [body, hidden])
      expect(() =>
        control.faults.add({ operation: '*', response: { status: 200, body: one } }),
      ).toThrow(UsageError)
  },
  MAX_GENERATED_PETS() {
    expect(() => generatePets({ count: limits.MAX_GENERATED_PETS + 1, seed: 1 })).toThrow(
      UsageError,
    )
  },
  async MAX_PETS_PER_REQUEST() {
    const { write } = await startControl()
    const { status, json } = await write('PUT', '/state', {
      generate: { count: limits.MAX_PETS_PER_REQUEST + 1 },
    })
    expect(status).toBe(400)
    expect((json as { message: string }).message).toContain(String(limits.MAX_PETS_PER_REQUEST))
    const list = (length: number) =>
      write(
        'PUT',
        '/state',
        `{"pets":[${Array(length).fill('{"name":"","categoryId":1}').join()}]}`,
      )
    expect((await list(limits.MAX_PETS_PER_REQUEST)).status).toBe(200)
    expect((await list(limits.MAX_PETS_PER_REQUEST + 1)).status).toBe(400)
  },
  async MAX_VALUES_PER_REQUEST() {
    const { write } = await startControl()
    const load = async (length: number) => {
      const { json } = await write(
        'PUT',
        '/state',
        `{"description":[${Array(length - 2)
          .fill('1')
          .join()}]}`,
      )
      return (json as { message: string }).message.includes(String(limits.MAX_VALUES_PER_REQUEST))
    }
    expect([
      await load(limits.MAX_VALUES_PER_REQUEST),
      await load(limits.MAX_VALUES_PER_REQUEST + 1),
    ]).toEqual([false, true])
  },
  MAX_RECORDING_CHARACTERS() {
    const text = createMock().control.recording()
    const long = (length: number) => () => readRecording(text.padEnd(length), 'a.jsonl')
    expect(long(limits.MAX_RECORDING_CHARACTERS)).not.toThrow()
    expect(long(limits.MAX_RECORDING_CHARACTERS + 1)).toThrow(UsageError)
  },
  async MIN_TOKEN_CHARACTERS() {
    const token = (length: number) => serve(createMock(), { controlToken: 'x'.repeat(length) })
    await expect(token(limits.MIN_TOKEN_CHARACTERS - 1)).rejects.toThrow(UsageError)
    await (await token(limits.MIN_TOKEN_CHARACTERS)).close()
  },
  MAX_LIST_ITEMS() {
    const { control } = createMock()
    const keys = Array.from({ length: limits.MAX_LIST_ITEMS }, (_, index) => `key-${index}`)
    control.load({ apiKeys: keys })
    expect(() => control.load({ apiKeys: [...keys, 'one-more'] })).toThrow(UsageError)
    expect(() =>
      control.load({ surprise: { seed: 1, kinds: keys.map(() => 'all') } }),
    ).not.toThrow()
    expect(() =>
      control.load({ surprise: { seed: 1, kinds: [...keys, 1].map(() => 'all') } }),
    ).toThrow(UsageError)
  },
  MAX_KEY_CHARACTERS() {
    const key = (more: number) => 'k'.repeat(limits.MAX_KEY_CHARACTERS + more)
    const { answer, control } = createMock({ sandbox: true })
    const ask = (more: number) => answer(toCall('GET', '/v1/pets', undefined, key(more)))
    expect([ask(0).status, ask(1).status]).toEqual([200, 401])
    control.load({ apiKeys: [key(0)] })
    expect(() => control.load({ apiKeys: [key(1)] })).toThrow(UsageError)
    expect(() => createMock({ apiKeys: [key(1)] })).toThrow(UsageError)
    expect(control.sandbox(key(0)).summary()).toMatchObject({ pets: 18 })
    expect(() => control.sandbox(key(1))).toThrow(UsageError)
  },
  MAX_FAULT_NAME_CHARACTERS() {
    const add = (length: number) =>
      createMock().control.faults.add({ operation: '*', status: 503, id: 'x'.repeat(length) })
    expect(add(limits.MAX_FAULT_NAME_CHARACTERS).id).toHaveLength(limits.MAX_FAULT_NAME_CHARACTERS)
    expect(() => add(limits.MAX_FAULT_NAME_CHARACTERS + 1)).toThrow(UsageError)
  },
  MAX_HOLD_MS() {
    const start = (hold: number) => createMock({ faults: [{ operation: '*', hold }] })
    expect(start(limits.MAX_HOLD_MS).control.faults.list()).toHaveLength(1)
    expect(() => start(limits.MAX_HOLD_MS + 1)).toThrow(UsageError)
  },
  MAX_CONDITION_CHARACTERS() {
    const add = (length: number) => {
      const when = { body: 'x'.repeat(length - 2) }
      return createMock().control.faults.add({ operation: '*', status: 503, when })
    }
    expect(add(limits.MAX_CONDITION_CHARACTERS)).toMatchObject({ id: '1' })
    expect(() => add(limits.MAX_CONDITION_CHARACTERS + 1)).toThrow(UsageError)
  },
  MAX_FAULT_BODY_BYTES() {
    const add = (body: unknown) =>
      createMock().control.faults.add({ operation: '*', response: { status: 200, body } })
    const text = 'é'.repeat(limits.MAX_FAULT_BODY_BYTES / 2)
    expect(add(text).response?.body).toBe(text)
    expect(() => add(`${text}x`)).toThrow(UsageError)
    expect(() => add([text])).toThrow(UsageError)
    expect(() =>
      createMock({ faults: [{ operation: '*', response: { status: 200, body: [text] } }] }),
    ).toThrow(UsageError)
  },
  MAX_SCENARIO_NAME_CHARACTERS() {
    const load = (length: number) =>
      createMock().control.load({ name: 'x'.repeat(length) }).scenario
    expect(load(limits.MAX_SCENARIO_NAME_CHARACTERS)).toHaveLength(
      limits.MAX_SCENARIO_NAME_CHARACTERS,
    )
    expect(() => load(limits.MAX_SCENARIO_NAME_CHARACTERS + 1)).toThrow(UsageError)
  },
  async MAX_FILE_NAME_CHARACTERS() {
    const { write } = await startControl()
    const load = async (more: number) => {
      const file = '.json'.padStart(limits.MAX_FILE_NAME_CHARACTERS + more, 'x')
      return (await write('PUT', '/state', { file, text: '{}' })).status
    }
    expect([await load(0), await load(1)]).toEqual([200, 400])
  },
  MAX_STATUS_WEIGHT() {
    const generate = (sold: number) =>
      expandScenario({ generate: { count: 1, status: { sold } } }).pets
    expect(generate(limits.MAX_STATUS_WEIGHT)).toMatchObject([{ status: 'sold' }])
    expect(() => generate(limits.MAX_STATUS_WEIGHT + 1)).toThrow(UsageError)
  },
  MAX_RETRY_AFTER_SECONDS() {
    const add = (retryAfter: number) =>
      createMock().control.faults.add({ operation: '*', status: 503, retryAfter })
    expect(add(limits.MAX_RETRY_AFTER_SECONDS)).toMatchObject({
      retryAfter: limits.MAX_RETRY_AFTER_SECONDS,
    })
    expect(() => add(limits.MAX_RETRY_AFTER_SECONDS + 1)).toThrow(UsageError)
  },
  async MAX_DOCUMENT_KEYS() {
    const { write } = await startControl()
    const load = async (count: number) => {
      const fields = Array.from({ length: count }, (_, index) => `"x${index}":1`).join()
      return [
        await write('PUT', '/state', `{${fields}}`),
        await write('PUT', '/state', { file: 'a.json', text: `{${fields}}` }),
      ].map(
        ({ status, json }) =>
          `${status} ${(json as { message: string }).message.includes('keys in an object')}`,
      )
    }
    expect(await load(limits.MAX_DOCUMENT_KEYS)).toEqual(['400 false', '400 false'])
    expect(await load(limits.MAX_DOCUMENT_KEYS + 1)).toEqual(['400 true', '400 true'])
    const body = Object.fromEntries(
      Array.from({ length: limits.MAX_DOCUMENT_KEYS + 1 }, (_, index) => [index, 1]),
    )
    expect(() =>
      createMock().control.faults.add({ operation: '*', response: { status: 200, body } }),
    ).toThrow('more than 10000 keys')
  },
}

/**
 * Limits that other tests show: of the service, with a server, a file, a timer, or less memory, or
 * without a mock.
 */
const OTHERS = [
  ...[
    'MAX_BODY_BYTES',
    'MAX_TARGET_BYTES',
    'MAX_JSON_DEPTH',
    'MAX_LOG_BYTES',
    'MAX_NOTE_CHARACTERS',
    'MAX_PROBLEMS',
  ],
  ...['MAX_LISTED_PETS', 'MAX_PRINTED_PETS'],
  ...[
    'MAX_JSON_KEY_CHARACTERS',
    'MAX_SANDBOXES',
    'MAX_LOG_ROWS',
    'MAX_CHANGES',
    'MAX_NOTES',
    'MAX_FAULTS',
    'MAX_PETS_BYTES',
  ],
  ...[
    'MAX_LOGS_BYTES',
    'HEADERS_TIMEOUT_MS',
    'REQUEST_TIMEOUT_MS',
    'MAX_WAITING_REQUESTS',
    'LINGER_MS',
    'STOP_TIMEOUT_MS',
  ],
  ...[
    'MAX_PERSISTED_BYTES',
    'MAX_EVENT_STREAMS',
    'MAX_EVENT_BACKLOG_BYTES',
    'SEND_TIMEOUT_MS',
    'MAX_BODIES_BYTES',
  ],
  ...['WAITING_REQUEST_BYTES', 'DEFAULT_LIMIT', 'MOST_LOG_ROWS', 'MAX_MESSAGE_CHARACTERS'],
  ...['MAX_CALIBRATED_BODY_BYTES', 'MAX_HAR_CHARACTERS'],
  ...['MAX_LINK_CHARACTERS', 'MAX_PRINTED_LINK_CHARACTERS'],
  'HOLD_MS',
]

describe('the limits', () => {
  it.each(Object.entries(PROOFS))('%s holds', { timeout: 60_000 }, (_, prove) => prove())

  it('all have a test', () => {
    expect([...Object.keys(PROOFS), ...OTHERS].sort()).toEqual(Object.keys(limits).sort())
  })
})
