// json-server: a REST store over a JSON document; knows no contract.
import type { Peer } from './peer.ts'

const guard = `module.exports = (request, response, next) => {
  if (/^bearer +(?!invalid$)\\S+$/i.test(request.headers.authorization || '')) return next()
  response.status(401).json({ code: 'Unauthorized', message: 'An API key is required', status: 401 })
}
`

export const jsonServer: Peer = {
  name: 'json-server',
  packages: { 'json-server': '0.17.4' },
  configured:
    'the latest stable version; animals in memory (a `.js` source, so that nothing is written to disk), routes that map `/v1` and `limit`, a middleware of four lines for the key, quiet, no compression',
  files: (animals) => ({
    'db.cjs': `module.exports = () => (${JSON.stringify({ pets: animals })})\n`,
    'guard.cjs': guard,
    'routes.json': JSON.stringify({
      '/v1/pets\\?status=:status&limit=:limit': '/pets?status=:status&_limit=:limit',
      '/v1/pets\\?limit=:limit&status=:status': '/pets?status=:status&_limit=:limit',
      '/v1/pets\\?limit=:limit': '/pets?_limit=:limit',
      '/v1/pets\\?status=:status': '/pets?status=:status&_limit=20',
      '/v1/pets': '/pets?_limit=20',
      '/v1/pets/:id': '/pets/:id',
    }),
  }),
  args: (port) => [
    'node_modules/json-server/lib/cli/bin.js',
    'db.cjs',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--routes',
    'routes.json',
    '--middlewares',
    'guard.cjs',
    '--quiet',
    '--no-gzip',
  ],
}
