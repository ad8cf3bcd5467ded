// The rules are seen from outside in test/control/control-safety.spec.ts and test/transcripts/guards.txt.
import { expect, it } from 'vitest'
import { checkSite } from './control-guard.ts'

const toCall = (fields: Readonly<Record<string, string>>) => ({
  method: 'PUT',
  target: '/__mock/state',
  header: (name: string) => fields[name],
})

it('lets pages of every scheme pass that the mock can have', () => {
  const check = (origin: string) => () => checkSite(toCall({ host: 'localhost:7387', origin }), ['http', 'https'])
  expect(check('http://localhost:7387')).not.toThrow()
  expect(check('https://localhost:7387')).not.toThrow()
  expect(check('ftp://localhost:7387')).toThrowError(expect.objectContaining({ status: 403 }))
})

it.each<[fields: Readonly<Record<string, string>>]>([
  [{ origin: 'http://' }],
  [{ host: '', origin: 'http://example.com' }],
  [{ host: 'localhost', 'sec-fetch-site': 'none, cross-site' }],
])('refuses %j', (fields) => expect(() => checkSite(toCall(fields))).toThrowError(expect.objectContaining({ status: 403 })))
