// A million animals: how long until they are ready, what they weigh, and whether a list notices them.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ours } from './contestants.ts'
import { atMost, type Figure, fact } from './figures.ts'
import type { ScaleResult } from './scale-child.ts'
import { cleanEnvironment, startServer } from './server-process.ts'

const MANY = 1_000_000

export async function measureScale(): Promise<Figure[]> {
  const { slower, heapPerAnimal } = await runChild()
  const few = await startServer(ours('--count', '100'))
  const many = await startServer(ours('--count', String(MANY)))
  const seconds = many.firstAnswerMs / 1000
  const cpuSeconds = many.cpu()
  const rssPerAnimal = (many.rss() - few.rss()) / MANY
  await Promise.all([few.stop(), many.stop()])
  return [
    ...Object.entries(slower).map(([query, { median, low, high }]) =>
      atMost(`list of 20 of 1,000,000 (${query}), × of 100`, median, 1.2, `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`),
    ),
    atMost('--count 1000000: seconds to the first answer', seconds, 15, seconds.toFixed(1)),
    fact('--count 1000000: seconds of processor time until then', cpuSeconds.toFixed(1)),
    atMost('--count 1000000: bytes of memory an animal', rssPerAnimal, 400, rssPerAnimal.toFixed(0)),
    fact('1,000,000 animals of a scenario: bytes of heap an animal', heapPerAnimal.toFixed(0)),
  ]
}

function runChild(): Promise<ScaleResult> {
  const child = fork(fileURLToPath(new URL('./scale-child.ts', import.meta.url)), {
    env: cleanEnvironment(),
    execArgv: [...process.execArgv, '--max-old-space-size=4096'],
  })
  return new Promise((resolve, reject) => {
    child.once('message', (result: ScaleResult) => {
      resolve(result)
      child.disconnect()
    })
    child.once('exit', (code) => reject(new Error(`the process with a million animals ended with ${code}`)))
  })
}
