import { expect, it, vi } from 'vitest'
import { toWindowsCommand } from './exec.ts'

it.each([
  ['a b', '"a b"'],
  ['say "hi & bye"', '"say ""hi & bye"""'],
  ['back\\', '"back\\\\"'],
  ['a\\"b', '"a\\\\""b"'],
  ['', '""'],
])('passes %j to cmd.exe as it is', (argument, quoted) => {
  vi.stubEnv('ComSpec', undefined)
  expect(toWindowsCommand(['npm', argument])).toEqual(['cmd.exe', '/d', '/v:off', '/s', '/c', `""npm" ${quoted}"`])
  vi.unstubAllEnvs()
})
