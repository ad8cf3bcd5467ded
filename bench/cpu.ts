// Processor time per request next to a bare node:http server that sends the same bytes, and a list
// of a million animals next to one of a hundred.
import { type RaceSettings, race, type Spent } from './burst.ts'
import { compared, median, type Report } from './figure.ts'
import { cases, LIST, varied } from './requests.ts'
import { ours, withBare } from './server.ts'

const MILLION = 1_000_000

export async function measureCpu(settings: RaceSettings, report: Report): Promise<void> {
  for (const each of cases) {
    const [mine, bare] = (await withBare(each.requests, (command) =>
      race([ours(), command], each, settings),
    )) as [Spent, Spent]
    report(
      compared(`${each.name}: processor time, × bare`, mine.cpu, bare.cpu, each.target, ['µs', 1]),
    )
    report({
      name: `${each.name}: requests a second`,
      value: median(mine.perSecond),
      detail: `bare ${median(bare.perSecond).toFixed(0)}`,
    })
  }
}

/** With a log line per request, which is what most servers are started with. */
export async function measureLog(settings: RaceSettings, report: Report): Promise<void> {
  for (const { name, ...raced } of varied) {
    const [mine, bare] = (await withBare(raced.requests, (command) =>
      race([ours({ log: 'pretty' }), command], raced, settings),
    )) as [Spent, Spent]
    const title = `${name}, --log pretty: processor time, × bare`
    report(compared(title, mine.cpu, bare.cpu, undefined, ['µs', 1]))
  }
}

export async function measureMillion(settings: RaceSettings, report: Report): Promise<void> {
  const commands = [
    ours({ flags: ['--count', String(MILLION)] }),
    ours({ flags: ['--count', '100'] }),
  ]
  const requests = [LIST, { ...LIST, target: `${LIST.target}&status=sold` }]
  const [many, few] = (await race(commands, { requests }, settings)) as [Spent, Spent]
  report(
    compared('list of a million: processor time, × of a hundred', many.cpu, few.cpu, 1.1, [
      'µs',
      1,
    ]),
  )
  const bytes = (median(many.rss) - median(few.rss)) / MILLION
  report({ name: 'a million animals: memory of one, bytes', value: bytes, target: 400 })
}
