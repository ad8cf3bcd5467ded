import { expect, it } from 'vitest'
import { createMock } from '../mock/mock.ts'
import type { Call } from '../service/call.ts'
import { answerFrontDoor, isFrontDoor } from './front-door.ts'

const toCall = (method: string, target: string, accept?: string): Call => ({
  method,
  target,
  header: (name) => (name === 'accept' ? accept : name === 'host' ? 'mock.test' : undefined),
  body: undefined,
})
const settings = {
  origin: (host?: string) => `http://${host}`,
  isControlOn: true,
  control: createMock({ now: '2030-12-06', frozen: true }).control,
}

it.each([
  ['GET', '/', true],
  ['HEAD', '/', true],
  ['POST', '/', false],
  ['GET', '/favicon.ico', true],
  ['HEAD', '/favicon.ico', true],
  ['DELETE', '/favicon.ico', false],
  ['GET', '/v1/pets', false],
])('%s %s is for the server itself: %j', (method, target, expected) => {
  expect(isFrontDoor(toCall(method, target))).toBe(expected)
})

it('has no icon, and says so without a body', () => {
  expect(answerFrontDoor(toCall('GET', '/favicon.ico'), settings)).toEqual({
    status: 204,
    headers: { Date: 'Fri, 06 Dec 2030 00:00:00 GMT', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
    body: '',
  })
})

it('sends browsers on to the console, and everyone else the addresses', () => {
  const page = answerFrontDoor(toCall('GET', '/', 'text/html,*/*'), settings)
  expect(page.headers).toMatchObject({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String((page.body as string).length),
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    Vary: 'Accept',
  })
  expect(page.body).toContain('<a href="/__mock/">Console</a>')
  const json = answerFrontDoor(toCall('GET', '/'), settings)
  expect(json.headers).toEqual({
    'Content-Type': 'application/json',
    'Content-Length': String((json.body as string).length),
    Date: 'Fri, 06 Dec 2030 00:00:00 GMT',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept',
  })
  expect(JSON.parse(json.body)).toEqual({
    api: 'http://mock.test/v1',
    health: 'http://mock.test/__mock/health',
    console: 'http://mock.test/__mock/',
  })
  const bare = answerFrontDoor(toCall('GET', '/'), { ...settings, isControlOn: false })
  expect(JSON.parse(bare.body)).toEqual({ api: 'http://mock.test/v1' })
  expect(answerFrontDoor(toCall('GET', '/', 'text/html'), { ...settings, isControlOn: false })).toEqual(
    answerFrontDoor(toCall('GET', '/'), { ...settings, isControlOn: false }),
  )
})

it('omits the body for HEAD, not its length', () => {
  const get = answerFrontDoor(toCall('GET', '/'), settings)
  expect(answerFrontDoor(toCall('HEAD', '/'), settings)).toEqual({ ...get, body: '' })
})
