import { expect, it } from 'vitest'
import { readMessage } from './read-message.ts'

const many = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => item(index)).join()
const call = (input: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"load_scenario","arguments":${input}}}`

it.each([
  ['a list of messages', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32_600],
  ['an object that is not JSON-RPC', '{"foo":1}', -32_600],
  ['parameters by position', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32_600],
  ['text that is not JSON', '{"jsonrpc":', -32_700],
  ['nothing', '', -32_700],
  ['a repeated key', call('{"scenario":{"pets":[1],"pets":[]}}'), -32_700],
  ['bytes that are not UTF-8', call('{"scenario":"\xff"}'), -32_700],
  ['more than 16 MiB', ' '.repeat(2 ** 24 + 1), -32_600],
  ['deep nesting', call(`{"scenario":${'['.repeat(100)}${']'.repeat(100)}}`), -32_700],
  [
    'much outside the arguments',
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":[${many(10_000, String)}]}}`,
    -32_600,
  ],
])('refuses %s', (_, text, code) => {
  expect(readMessage(Buffer.from(text, 'latin1'))).toEqual({
    refusal: { jsonrpc: '2.0', id: null, error: { code, message: expect.stringMatching(/./) } },
  })
})

it('hands a message on without the arguments of its tool, which are exact and may have a large scenario', () => {
  const { message } = readMessage(
    Buffer.from(call(`{"id":9223372036854775807,"scenario":[${many(20_000, String)}]}`)),
  ) as never as {
    readonly message: {
      readonly params: {
        readonly arguments: {
          exact(): { readonly id: bigint; readonly scenario: readonly number[] }
        }
      }
    }
  }
  expect(JSON.parse(JSON.stringify(message))).toEqual(JSON.parse(call('{}')))
  const { id, scenario } = message.params.arguments.exact()
  expect([id, scenario.length]).toEqual([9223372036854775807n, 20_000])
})

it('leaves a message alone that has no arguments', () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  expect(readMessage(Buffer.from(ping))).toEqual({ message: JSON.parse(ping) })
})
