// Our mock and others in one run: processor time, start, memory, what is installed, and which
// responses are right. Writes bench/comparison.md.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { race } from './burst.ts'
import { median, ratios } from './figure.ts'
import { describeInstalled, install, peers } from './peers.ts'
import { judge, probes } from './probes.ts'
import { ask, cases, KEY } from './requests.ts'
import { ours, root, type Server, type ServerCommand, withBare, withServers } from './server.ts'
import { weighPackage } from './size.ts'
import { launchAll } from './start.ts'

const LAUNCHES = 5
/** The slowest peer sends two hundred responses a second. */
const RACE = { rounds: 5, count: 300, warmUps: 12, connections: 32, processes: 1 }
/** More animals than a list returns by default, so that its limit shows. */
const ANIMALS = ['--seed', '1', '--count', '50']
const raced = cases.filter(({ name }) => name.endsWith('fixed'))

export async function comparePeers(): Promise<void> {
  const mine = ours({ flags: ANIMALS })
  const animals = await withServers([mine], async ([server]) => {
    const { text } = await ask((server as Server).port, {
      method: 'GET',
      target: '/v1/pets?limit=100',
      headers: KEY,
    })
    return JSON.parse(text) as object[]
  })
  const folders = peers.map((peer) => install(peer, animals))
  const mocks: ServerCommand[] = [
    mine,
    ...peers.map(({ name, args }, index) => ({ name, args, cwd: folders[index] as string })),
  ]
  const sizes = [
    `1 package, ${(weighPackage().installed / 1_000).toFixed(1)} MB`,
    ...folders.map(describeInstalled),
  ]
  const requests = raced.flatMap((each) => each.requests)
  const columns = await withBare(requests, (bare) => measureAll(bare, mocks), ANIMALS)
  const rows = mocks.map(({ name }, index) => [
    name,
    ...columns.map((column) => column[index] as string),
    sizes[index] as string,
  ])
  const verdicts: boolean[][] = []
  for (const mock of mocks)
    verdicts.push(await withServers([mock], ([server]) => judge((server as Server).port)))
  writeFileSync(join(root, 'bench/comparison.md'), renderPage(rows, verdicts))
  console.log('  wrote bench/comparison.md')
}

/**
 * The columns of the table with a cell for each mock: processor time of each operation, start,
 * memory.
 */
async function measureAll(
  bare: ServerCommand,
  mocks: readonly ServerCommand[],
): Promise<string[][]> {
  const overBare = ([base = [], ...all]: number[][]) =>
    all.map((values) => ratios(values, base).median.toFixed(1))
  const columns: string[][] = []
  for (const each of raced)
    columns.push(overBare((await race([bare, ...mocks], each, RACE)).map(({ cpu }) => cpu)))
  const launches = await launchAll([bare, ...mocks], LAUNCHES)
  const memory = launches.slice(1).map(({ rss }) => (median(rss) / 1e6).toFixed(0))
  return [...columns, overBare(launches.map(({ milliseconds }) => milliseconds)), memory]
}

function renderPage(
  rows: readonly (readonly string[])[],
  verdicts: readonly (readonly boolean[])[],
): string {
  const score = (each: readonly boolean[], basis: string) => {
    const counted = each.filter((_, index) => probes[index]?.basis === basis)
    return `${counted.filter(Boolean).length} of ${counted.length}`
  }
  const names = rows.map(([name]) => name as string)
  return `${[
    '# Comparison with other mocks',
    'This page compares the mock with four others. To repeat the measurements on Linux, in a clone:',
    '```text\nnpm run bench -- peers\n```',
    `These are from ${new Date().toISOString().slice(0, 10)} (${process.platform}-${process.arch}, Node ${process.versions.node}). Processor time and start are multiples of a bare \`node:http\` server that sends the same bytes; less is better. Rounds are short, so a figure can differ by half from run to run.`,
    renderTable(
      [
        '',
        ...raced.map(({ name }) => `${name.split(',')[0]}, × bare`),
        'start, × bare',
        'memory, MB',
        'installed',
      ],
      rows,
    ),
    '## Responses',
    'Only what the spec or HTTP requires is right or wrong. Elsewhere our default is one of several good choices.',
    renderTable(
      ['', 'required by the spec or HTTP: right', 'our assumption: the same'],
      verdicts.map((each, index) => [
        names[index] as string,
        score(each, 'required'),
        score(each, 'assumed'),
      ]),
    ),
    '## Versions',
    `${peers.map(({ packages }) => Object.entries(packages).flat().join(' ')).join(', ')}. \`bench/peers.ts\` says how each is configured.`,
  ].join('\n\n')}\n`
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
