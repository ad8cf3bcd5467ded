// What the documentation promises and no other test shows. Limits are in limits.spec.ts, tables and
// commands in docs.spec.ts.
import { expect, it, onTestFinished } from 'vitest'
import { serve } from '../../src/hosts/node/index.ts'
import { createMock } from '../../src/index.ts'
import { toCall } from '../support/call.ts'
import { runCli } from '../support/cli-process.ts'
import { pageOf, sectionOf } from '../support/documents.ts'
import { sendBytes } from '../support/raw-client.ts'

const rex = { name: 'Rex', categoryId: 1 }

it('README.md: the mock remembers what you send', () => {
  const { answer } = createMock()
  const steps = [
    ...pageOf('README.md').text.matchAll(/^(GET|POST) (\/v1\S+) (?:(\{.*\}) )?→ (\d+) (.*)$/gm),
  ]
  expect(steps).toHaveLength(2)
  for (const [, method = '', target = '', body, status, response = ''] of steps) {
    const reply = answer(toCall(method, target, body))
    expect([reply.status, JSON.parse(reply.body)]).toEqual([Number(status), JSON.parse(response)])
  }
})

it('docs/sandboxes.md: changes without a key reach no valid key, and new sandboxes start from the scenario', () => {
  const { answer, control } = createMock({ sandbox: true })
  const list = (key: string) =>
    JSON.parse(answer(toCall('GET', '/v1/pets?limit=100', undefined, key)).body)
  answer(toCall('POST', '/v1/pets', rex, 'old'))
  control.faults.add({ operation: '*', status: 503 })
  control.assume({ 'list-order': 'newest-first' })
  for (const key of ['old', 'new']) expect(list(key)[0].id).toBe(1)
  control.reset()
  expect(list('old')).toHaveLength(19)
  answer(toCall('GET', '/v1/orders', undefined, null))
  expect(control.requests().map(({ status }) => status)).toEqual([404])
})

it('docs/safety.md: exec warns, prints the token, and hands it to the command', async () => {
  const script = 'console.log(process.env.ANIMAL_STORE_CONTROL_TOKEN)'
  const { stdout, stderr } = await runCli([
    'exec',
    '--host',
    '0.0.0.0',
    '--',
    process.execPath,
    '-e',
    script,
  ])
  expect(stdout).toMatch(/^[\w-]{32}\n$/)
  expect(stderr).toContain(stdout)
  expect(stderr).toContain('warning')
})

it('docs/appendix/http.md: every status that HTTP decides has an error body', async () => {
  const { port, close } = await serve(createMock())
  onTestFinished(close)
  const head = 'Host: x.localhost\r\nAuthorization: Bearer k\r\nConnection: close\r\n'
  const post = `POST /v1/pets HTTP/1.1\r\n${head}Content-Type: application/json\r\n`
  const get = (target: string, more = '') => `GET ${target} HTTP/1.1\r\n${head}${more}\r\n`
  const requests: Readonly<Record<string, string>> = {
    400: get('/v1/%zz'),
    403: get('/v1/pets').replace('x.localhost', 'mock.example'),
    404: get('/v1/orders'),
    405: get('/v1/pets').replace('GET', 'DELETE'),
    413: `${post}Content-Length: 1048577\r\n\r\n`,
    414: get(`/v1/pets?x=${'y'.repeat(9000)}`),
    415: `${post}Content-Encoding: br\r\nContent-Length: 2\r\n\r\n{}`,
    417: get('/v1/pets', 'Expect: tea\r\n'),
    431: get('/v1/pets', `X-Long: ${'x'.repeat(17_000)}\r\n`),
    501: `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    505: get('/v1/pets').replace('HTTP/1.1', 'HTTP/2.0'),
  }
  // A late request, an overload and a full world take too long here; limits.spec.ts has some.
  const listed = new Set(sectionOf('docs/appendix/http.md', 'statuses').match(/\b[45]\d\d\b/g))
  expect([...listed].filter((status) => !['408', '503', '507'].includes(status)).sort()).toEqual(
    Object.keys(requests),
  )
  for (const [status, request] of Object.entries(requests)) {
    const response = await sendBytes(port, request)
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n')))).toMatchObject({
      status: Number(status),
    })
  }
})

it('docs/appendix/http.md: the mock sends no header that the page does not name', () => {
  const { answer } = createMock()
  const origin = { origin: 'http://localhost:3000' }
  const replies = [
    toCall('GET', '/v1/pets', undefined, 'k', origin),
    toCall('GET', '/v1/pets/1'),
    toCall('GET', '/v1/pets', undefined, null),
    toCall('POST', '/v1/pets', rex),
    toCall('DELETE', '/v1/pets/1'),
    toCall('OPTIONS', '/v1/pets', undefined, null, {
      ...origin,
      'access-control-request-method': 'GET',
    }),
    toCall('GET', '/v1/pets?limit=0'),
    toCall('GET', '/v1/pets', undefined, 'k', { prefer: 'code=503' }),
  ].map(answer)
  const documented = [
    ...pageOf('docs/appendix/http.md').text.matchAll(/`([A-Z][\w-]+)(?:: [\w-]+)?`/g),
  ].map(([, name = '']) => name)
  const sent = new Set(replies.flatMap(({ headers }) => Object.keys(headers)))
  expect(
    [...sent].filter((name) => !name.startsWith('Access-Control-') && !documented.includes(name)),
  ).toEqual([])
})
