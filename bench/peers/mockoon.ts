// Mockoon: a data bucket behind a CRUD route, and rules for what the route alone would not answer.
import type { Peer } from './peer.ts'

interface Rule {
  readonly target: 'header' | 'query' | 'body' | 'method' | 'path'
  readonly modifier: string
  readonly operator: 'regex' | 'regex_i' | 'null' | 'equals' | 'valid_json_schema'
  readonly value?: string
  readonly invert?: boolean
}

let uuids = 0
const uuid = () => `00000000-0000-4000-8000-${String(++uuids).padStart(12, '0')}`

/** An answer that stands in for the route's own when all of its rules hold. */
function response(statusCode: number, body: string, rules: readonly Rule[], rest: object = {}) {
  return {
    uuid: uuid(),
    body,
    latency: 0,
    statusCode,
    label: '',
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    bodyType: 'INLINE',
    filePath: '',
    databucketID: '',
    sendFileAsBody: false,
    rules: rules.map((rule) => ({ value: '', invert: false, ...rule })),
    rulesOperator: 'AND',
    disableTemplating: false,
    fallbackTo404: false,
    default: false,
    crudKey: 'id',
    callbacks: [],
    ...rest,
  }
}

const error = (status: number, code: string, message: string, ...rules: readonly Rule[]) =>
  response(status, JSON.stringify({ code, message, status }), rules, { disableTemplating: true })

const noKey: Rule = { target: 'header', modifier: 'Authorization', operator: 'regex_i', value: '^bearer +(?!invalid$)\\S+$', invert: true }
const isPost: Rule = { target: 'method', modifier: '', operator: 'equals', value: 'post' }
const isGet: Rule = { ...isPost, value: 'get' }
const isList: Rule = { target: 'path', modifier: '', operator: 'regex', value: '^/v1/pets(\\?|$)' }
const given = (name: string): Rule => ({ target: 'query', modifier: name, operator: 'null', invert: true })
const outside = (name: string, allowed: string): Rule => ({
  target: 'query',
  modifier: name,
  operator: 'regex',
  value: allowed,
  invert: true,
})

/** The template of a list, cut to the limit. */
const list = (animals: string) => `{{{stringify (slice ${animals} 0 (parseInt (queryParamRaw 'limit' '20')))}}}`

const animalSchema = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: { name: { type: 'string' }, categoryId: { type: 'integer' }, status: { enum: ['available', 'pending', 'sold'] } },
}

export const mockoon: Peer = {
  name: 'Mockoon',
  packages: { '@mockoon/cli': '9.9.0' },
  configured:
    'a CRUD route on a data bucket; rules for the key, the two parameters and the body (its JSON Schema operator), templates for the status filter and the default limit; no admin API, no log file, no log of exchanges',
  files(animals) {
    const bucket = { uuid: uuid(), id: 'pets', name: 'pets', documentation: '', value: JSON.stringify(animals) }
    const schema = { uuid: uuid(), id: 'schm', name: 'newPet', documentation: '', value: JSON.stringify(animalSchema) }
    const route = {
      uuid: uuid(),
      type: 'crud',
      documentation: '',
      method: '',
      endpoint: 'v1/pets',
      responseMode: null,
      streamingMode: null,
      streamingInterval: 0,
      responses: [
        error(401, 'Unauthorized', 'An API key is required', noKey),
        error(400, 'BadRequest', 'limit must be 1 to 100', given('limit'), outside('limit', '^([1-9][0-9]?|100)$')),
        error(400, 'BadRequest', 'unknown status', given('status'), outside('status', '^(available|pending|sold)$')),
        error(400, 'BadRequest', 'not a valid animal', isPost, {
          target: 'body',
          modifier: '',
          operator: 'valid_json_schema',
          value: 'newPet',
          invert: true,
        }),
        response(200, list(`(filter (dataRaw 'pets') (object status=(queryParamRaw 'status')))`), [given('status')]),
        response(200, list(`(dataRaw 'pets')`), [isGet, isList, { ...given('limit'), invert: false }]),
        response(200, '{}', [], { bodyType: 'DATABUCKET', databucketID: 'pets', default: true, headers: [] }),
      ],
    }
    const environment = {
      uuid: uuid(),
      lastMigration: 33,
      name: 'Animal Store',
      endpointPrefix: '',
      latency: 0,
      port: 3000,
      hostname: '127.0.0.1',
      folders: [],
      routes: [route],
      rootChildren: [{ type: 'route', uuid: route.uuid }],
      proxyMode: false,
      proxyHost: '',
      proxyRemovePrefix: false,
      tlsOptions: { enabled: false, type: 'CERT', pfxPath: '', certPath: '', keyPath: '', caPath: '', passphrase: '' },
      cors: true,
      headers: [],
      proxyReqHeaders: [],
      proxyResHeaders: [],
      data: [bucket, schema],
      callbacks: [],
    }
    return { 'mockoon.json': JSON.stringify(environment) }
  },
  args: (port) => [
    'node_modules/@mockoon/cli/bin/run.js',
    'start',
    '--data',
    'mockoon.json',
    '--port',
    String(port),
    '--hostname',
    '127.0.0.1',
    '--disable-log-to-file',
    '--disable-admin-api',
    '--max-transaction-logs',
    '0',
  ],
}
