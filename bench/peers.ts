// The other mocks of the comparison, each in its best configuration for this API. They are
// installed into separate folders, never into the project.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from './server.ts'

interface Peer {
  readonly name: string
  /** Exact versions. */
  readonly packages: Readonly<Record<string, string>>
  /** Files that it needs, by name. */
  files(animals: readonly object[]): Readonly<Record<string, string>>
  /** What follows `node`, in its folder. */
  args(port: number): readonly string[]
}

const HOST = '127.0.0.1'
const readText = (path: string) => readFileSync(join(root, path), 'utf8')

export const peers: readonly Peer[] = [
  {
    name: 'Prism',
    packages: { '@stoplight/prism-cli': '5.14.2' },
    // Our `spec/openapi.yaml` with `/v1` in its paths and twenty animals as the example of
    // listPets; static responses, log silent.
    files(animals) {
      const spec = parse(readText('spec/openapi.yaml'), { schema: 'core' })
      spec.paths['/pets'].get.responses['200'].content['application/json'].example = animals.slice(
        0,
        20,
      )
      spec.paths = Object.fromEntries(
        Object.entries(spec.paths).map(([path, item]) => [`/v1${path}`, item]),
      )
      spec.servers = [{ url: '/' }]
      return { 'openapi.json': JSON.stringify(spec) }
    },
    args: (port) => {
      const flags =
        `--host ${HOST} --port ${port} --multiprocess=false --verboseLevel silent`.split(' ')
      return ['node_modules/@stoplight/prism-cli/dist/index.js', 'mock', ...flags, 'openapi.json']
    },
  },
  {
    name: 'json-server',
    packages: { 'json-server': '0.17.4' },
    // The latest stable version; animals in memory, routes for `/v1` and `limit`, a middleware of
    // four lines for the key, no log.
    files: (animals) => ({
      'db.cjs': `module.exports = () => (${JSON.stringify({ pets: animals })})\n`,
      'guard.cjs': `module.exports = (request, response, next) => {
  if (/^bearer +(?!invalid$)\\S+$/i.test(request.headers.authorization || '')) return next()
  response.status(401).json({ code: 'Unauthorized', message: 'An API key is required', status: 401 })
}\n`,
      'routes.json': JSON.stringify({
        '/v1/pets\\?status=:status&limit=:limit': '/pets?status=:status&_limit=:limit',
        '/v1/pets\\?limit=:limit&status=:status': '/pets?status=:status&_limit=:limit',
        '/v1/pets\\?limit=:limit': '/pets?_limit=:limit',
        '/v1/pets\\?status=:status': '/pets?status=:status&_limit=20',
        '/v1/pets': '/pets?_limit=20',
        '/v1/pets/:id': '/pets/:id',
      }),
    }),
    args: (port) => {
      const flags =
        `--host ${HOST} --port ${port} --routes routes.json --middlewares guard.cjs --quiet --no-gzip`.split(
          ' ',
        )
      return ['node_modules/json-server/lib/cli/bin.js', 'db.cjs', ...flags]
    },
  },
  {
    name: 'Mockoon',
    packages: { '@mockoon/cli': '9.9.0' },
    // `bench/peers/mockoon.json`: a CRUD route on a data bucket, rules for the key, the parameters
    // and the body; no log.
    files(animals) {
      const environment = JSON.parse(readText('bench/peers/mockoon.json'))
      environment.data[0].value = JSON.stringify(animals)
      return { 'mockoon.json': JSON.stringify(environment) }
    },
    args: (port) => {
      const flags =
        `--port ${port} --hostname ${HOST} --disable-log-to-file --disable-admin-api --max-transaction-logs 0`.split(
          ' ',
        )
      return ['node_modules/@mockoon/cli/bin/run.js', 'start', '--data', 'mockoon.json', ...flags]
    },
  },
  {
    name: 'MSW + http-middleware',
    packages: { '@mswjs/http-middleware': '0.10.3', express: '5.3.0', msw: '2.15.0' },
    // `bench/peers/msw-middleware.mjs`: forty lines of handlers with state, the key and the checks
    // of the spec, on Express.
    files: (animals) => ({
      'pets.json': JSON.stringify(animals),
      'server.mjs': readText('bench/peers/msw-middleware.mjs'),
    }),
    args: (port) => ['server.mjs', String(port)],
  },
]

/** Installs a peer, unless the same versions are there, and writes its files. */
export function install(peer: Peer, animals: readonly object[]): string {
  const folder = join(
    root,
    'node_modules/.cache/bench-peers',
    peer.name.toLowerCase().replaceAll(/[^a-z]+/g, '-'),
  )
  mkdirSync(folder, { recursive: true })
  const manifest = JSON.stringify({ private: true, dependencies: peer.packages })
  const file = join(folder, 'package.json')
  if (!existsSync(join(folder, 'node_modules')) || readFileSync(file, 'utf8') !== manifest) {
    writeFileSync(file, manifest)
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
    execFileSync('npm', ['install', ...flags], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  for (const [name, text] of Object.entries(peer.files(animals)))
    writeFileSync(join(folder, name), text)
  return folder
}

export function describeInstalled(folder: string): string {
  const modules = join(folder, 'node_modules')
  const paths = readdirSync(modules, { recursive: true, encoding: 'utf8' })
  const packages = paths.filter((path) =>
    /(^|node_modules\/)(@[^/]+\/)?[^@/.][^/]*\/package\.json$/.test(path),
  )
  const bytes = paths.reduce(
    (sum, path) => sum + (statSync(join(modules, path), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  return `${packages.length} packages, ${(bytes / 1e6).toFixed(1)} MB`
}
