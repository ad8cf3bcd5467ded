import { expect, it, vi } from 'vitest'
import { doAtOnce, doInTurns } from './turns.ts'

function* work(steps: number, stepMs = 0) {
  for (let step = 0; step < steps; step++) {
    const end = performance.now() + stepMs
    while (performance.now() < end);
    yield
  }
  return steps
}

it('a long task lets others run before it ends, and a short one does not keep its caller waiting', async () => {
  const ended: string[] = []
  const note = (name: string) => () => ended.push(name)
  const timer = new Promise<void>((resolve) => setTimeout(resolve)).then(note('timer'))
  const long = doInTurns(work(4, 25)).then(note('long'))
  const short = doInTurns(work(4)).then(note('short'))
  await Promise.all([timer, long, short])
  expect(ended).toEqual(['short', 'timer', 'long'])
})

it('a long task goes on under fake timers', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    expect(await doInTurns(work(3, 25))).toBe(3)
  } finally {
    vi.useRealTimers()
  }
})

it('a task can be done at once', () => {
  expect(doAtOnce(work(3))).toBe(3)
})
