// Processor time per request next to a bare node:http server that sends the same bytes, and a list of a million animals next to
// one of a hundred.
import { type RaceSettings, race, type Spent } from './burst.ts'
import { compared, type Figure, median, ratios } from './figure.ts'
import { cases, LIST } from './requests.ts'
import { ours, withBare } from './server.ts'

export interface Setting {
  /** This checkout and, after `--against`, the other one. */
  readonly checkouts: readonly string[]
  readonly race: RaceSettings
}

export async function measureCpu(
  { checkouts: [own = '', other], race: settings }: Setting,
  report: (figure: Figure) => void,
): Promise<void> {
  for (const each of cases) {
    const spent = await withBare(own, each.requests, (bare) => race([ours(own), bare, ...(other ? [ours(other)] : [])], each, settings))
    const [mine, base] = spent.map(
      ({ cpu, perSecond }) => `${median(cpu).toFixed(1)} µs (${(median(perSecond) / 1_000).toFixed(1)}k a second)`,
    )
    report(
      compared(
        `${each.name}: processor time, × bare`,
        spent.map(({ cpu }) => cpu),
        each.target,
        `${mine} to ${base}`,
      ),
    )
  }
}

const MILLION = 1_000_000

export async function measureMillion({ checkouts, race: settings }: Setting, report: (figure: Figure) => void): Promise<void> {
  const commands = checkouts.flatMap((checkout) => [ours(checkout, '--count', String(MILLION)), ours(checkout, '--count', '100')])
  const requests = [LIST, { ...LIST, target: `${LIST.target}&status=sold` }]
  const [many, few, otherMany, otherFew] = await race(commands, { requests }, settings)
  const figure = compared('list of a million: processor time, × of a hundred', [many?.cpu, few?.cpu], 1.1, '')
  report({ ...figure, other: otherMany && otherFew && ratios(otherMany.cpu, otherFew.cpu).median })
  const perAnimal = (large?: Spent, small?: Spent) => (median(large?.rss ?? []) - median(small?.rss ?? [])) / MILLION
  report({
    name: 'a million animals: memory of one, bytes',
    value: perAnimal(many, few),
    other: otherMany && perAnimal(otherMany, otherFew),
    target: 400,
  })
}
