// The comparison as a page of Markdown.
import { type Figure, toTable } from './figures.ts'
import { operationNames } from './operations.ts'
import { probes } from './probes.ts'
import type { Standing } from './side-by-side.ts'

export interface ReportHead {
  readonly date: string
  readonly machine: string
}

export function toReport(
  { date, machine }: ReportHead,
  standings: readonly Standing[],
  figures: readonly Figure[],
  bundleBytes: number,
): string {
  return `${[
    '# Side by side',
    `Measured on ${date} with \`npm run bench -- ${figures.length === 0 ? 'peers' : 'all'}\` on a machine with ${machine}. Everything ran in one run, in turns; the ratios are medians over its rounds, and the absolute times say little.`,
    '![Requests a second as a share of a bare node:http server](chart.svg)',
    '## Speed and size',
    `32 keep-alive connections without pipelining. **Bare** is a \`node:http\` server that sends the very bytes of our answers and does nothing else; 1.00 is as fast as it.`,
    toSpeedTable(standings),
    `In a browser: \`animal-store-mock/msw\` with the engine, the contract and the default animals is ${(bundleBytes / 1000).toFixed(1)} kB (minified, gzip, without msw itself).`,
    '## Fidelity',
    `The same ${probes.length} probes, sent to each in the same order. ✓ is the answer that the interface (or HTTP) asks for; anything else is what came instead. *Error* is the interface's Error body with the status of the answer. Where the interface is silent, as on a limit out of its bounds, what is expected is our default assumption.`,
    toProbeTable(standings),
    '## How each was configured',
    standings.map(toConfiguration).join('\n'),
    ...(figures.length === 0 ? [] : ['## Our own figures', toTable(figures)]),
  ].join('\n\n')}\n`
}

function toSpeedTable(standings: readonly Standing[]): string {
  const head = [
    '',
    ...operationNames.map((name) => `${name}, share of bare`),
    'p99 of the three, ms',
    'start, × bare',
    'memory, × bare',
    'packages',
    'MB installed',
  ]
  const rows = standings.map(({ name, throughput, start, memory, installed }) => [
    name,
    ...operationNames.map((operation) => throughput[operation].shareOfBare.toFixed(2)),
    operationNames.map((operation) => throughput[operation].p99.toFixed(0)).join(' / '),
    start.times.toFixed(1),
    memory.times.toFixed(2),
    String(installed.packages),
    (installed.bytes / 1e6).toFixed(1),
  ])
  return toMarkdown(head, rows, '--:')
}

function toProbeTable(standings: readonly Standing[]): string {
  const judged = standings.filter(({ verdicts }) => verdicts.length > 0)
  const head = ['probe', 'expected', ...judged.map(({ name }) => name)]
  const rows = probes.map(({ name, expected }, index) => [
    name,
    expected,
    ...judged.map(({ verdicts }) => (verdicts[index]?.right ? '✓' : (verdicts[index]?.answered ?? 'not asked'))),
  ])
  const totals = judged.map(({ verdicts }) => `**${verdicts.filter(({ right }) => right).length}**`)
  return toMarkdown(head, [...rows, [`**right, of ${probes.length}**`, '', ...totals]], '---')
}

function toConfiguration({ name, versions, configured }: Standing): string {
  const list = Object.entries(versions).map(([module, version]) => `${module} ${version}`)
  return `- **${name}**${list.length === 0 ? '' : ` (${list.join(', ')})`}: ${configured}.`
}

function toMarkdown(head: readonly string[], rows: readonly (readonly string[])[], alignment: string): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [
    line(head),
    `|---|${head
      .slice(1)
      .map(() => `${alignment}|`)
      .join('')}`,
    ...rows.map(line),
  ].join('\n')
}
