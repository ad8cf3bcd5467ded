// Prism: answers from the contract's examples and checks requests against it; keeps nothing.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../contestants.ts'
import type { Peer } from './peer.ts'

export const prism: Peer = {
  name: 'Prism',
  packages: { '@stoplight/prism-cli': '5.14.2' },
  configured:
    'our own `spec/openapi.yaml` with `/v1` in its paths and a list of twenty animals as the example of listPets; static answers (quicker than `--dynamic`), log silent, one process',
  files(animals) {
    const contract = parse(readFileSync(join(root, 'spec/openapi.yaml'), 'utf8'), { schema: 'core' })
    contract.paths['/pets'].get.responses['200'].content['application/json'].example = animals.slice(0, 20)
    contract.paths = Object.fromEntries(Object.entries(contract.paths).map(([path, item]) => [`/v1${path}`, item]))
    contract.servers = [{ url: '/' }]
    return { 'openapi.json': JSON.stringify(contract) }
  },
  args: (port) => [
    'node_modules/@stoplight/prism-cli/dist/index.js',
    'mock',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--multiprocess=false',
    '--verboseLevel',
    'silent',
    'openapi.json',
  ],
}
