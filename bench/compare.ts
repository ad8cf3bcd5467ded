// Our mock and others in one run: processor time, start, memory, what is installed, and which responses are right. Writes
// docs/comparison.md.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { race } from './burst.ts'
import type { Setting } from './cpu.ts'
import { median, ratios } from './figure.ts'
import { describeInstalled, install, peers } from './peers.ts'
import { judge, probes } from './probes.ts'
import { cases, KEY } from './requests.ts'
import { ours, root, type ServerCommand, withBare, withServers } from './server.ts'
import { weighPackage } from './size.ts'
import { launchAll } from './start.ts'

const LAUNCHES = 5
/** The slowest peer sends two hundred responses a second. */
const RACE = { rounds: 5, count: 300, warmUps: 12, connections: 32, processes: 1 }
/** More animals than a list returns by default, so that its limit shows. */
const ANIMALS = ['--seed', '1', '--count', '50']
const raced = cases.filter(({ name }) => name.endsWith('fixed'))

export async function comparePeers({ checkouts: [own = ''] }: Setting): Promise<void> {
  const animals = await withServers([ours(own, ...ANIMALS)], async ([server]) => {
    const response = await fetch(`http://127.0.0.1:${server?.port}/v1/pets?limit=100`, { headers: KEY })
    return (await response.json()) as object[]
  })
  const folders = peers.map((peer) => install(peer, animals))
  const mocks: ServerCommand[] = [
    { ...ours(own, ...ANIMALS), name: 'animal-store-mock' },
    ...peers.map(({ name, args }, index) => ({ name, args, cwd: folders[index] as string })),
  ]
  const sizes = [`1 package, ${(weighPackage(own).installed / 1_000).toFixed(1)} MB`, ...folders.map(describeInstalled)]
  const rows = await withBare(
    own,
    raced.flatMap(({ requests }) => requests),
    async (bare) => {
      const launches = await launchAll([bare, ...mocks], LAUNCHES)
      const starts = launches.map((each) => each.map(({ milliseconds }) => milliseconds))
      const weights = launches.map((each) => median(each.map(({ rss }) => rss)) / 1e6)
      const spent: number[][][] = []
      for (const each of raced) spent.push((await race([bare, ...mocks], each, RACE)).map(({ cpu }) => cpu))
      return mocks.map(({ name }, index) => [
        name,
        ...spent.map((cpu) => ratios(cpu[index + 1] ?? [], cpu[0] ?? []).median.toFixed(1)),
        ratios(starts[index + 1] ?? [], starts[0] ?? []).median.toFixed(1),
        (weights[index + 1] as number).toFixed(0),
        sizes[index] as string,
      ])
    },
    ...ANIMALS,
  )
  const verdicts: string[][] = []
  for (const mock of mocks) verdicts.push(await withServers([mock], ([server]) => judge(server?.port as number)))
  writeFileSync(join(root, 'docs/comparison.md'), renderPage(rows, verdicts))
  console.log('  wrote docs/comparison.md')
}

function renderPage(rows: readonly (readonly string[])[], verdicts: readonly (readonly string[])[]): string {
  const score = (each: readonly string[], basis: string) => {
    const counted = each.filter((_, index) => probes[index]?.basis === basis)
    return `${counted.filter((verdict) => verdict === '✓').length} of ${counted.length}`
  }
  const names = rows.map(([name]) => name as string)
  return `${[
    '# Comparison with other mocks',
    `\`npm run bench -- peers\` measured all of them in one run on ${new Date().toISOString().slice(0, 10)} (${process.platform}-${process.arch}, Node ${process.versions.node}) and wrote this page. Processor time per request and start are multiples of a bare \`node:http\` server that sends the same bytes. Less is better; differences below a tenth mean nothing.`,
    renderTable(['', ...raced.map(({ name }) => `${name.split(',')[0]}, × bare`), 'start, × bare', 'memory, MB', 'installed'], rows),
    '## Responses',
    'Only what the spec or HTTP requires is right or wrong. Where the spec leaves a response open, our default is one of several good ones.',
    renderTable(
      ['', 'required by the spec or HTTP: right', 'our assumption: the same'],
      verdicts.map((each, index) => [names[index] as string, score(each, 'required'), score(each, 'assumed')]),
    ),
    renderTable(
      ['required by the spec or HTTP', ...names],
      probes.flatMap(({ name, basis }, index) =>
        basis === 'required' ? [[name, ...verdicts.map((each) => (each[index] === '✓' ? '✓' : '✗'))]] : [],
      ),
    ),
    '## Configurations',
    peers
      .map(({ name, packages, configured }) => `- **${name}** (${Object.entries(packages).flat().join(' ')}): ${configured}.`)
      .join('\n'),
  ].join('\n\n')}\n`
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
