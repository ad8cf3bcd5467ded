import { expect, it } from 'vitest'
import { createRounds } from './rounds.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('answers all that came together before anything is sent', async () => {
  const done: string[] = []
  const rounds = createRounds()
  for (const name of ['a', 'b'])
    rounds.join(() => {
      done.push(`answer ${name}`)
      rounds.send(() => done.push(`send ${name}`))
    })
  expect(done).toEqual([])
  await turn()
  expect(done).toEqual(['answer a', 'answer b', 'send a', 'send b'])
})

it('sends at once between the rounds, and begins another round for what comes later', async () => {
  const done: string[] = []
  const rounds = createRounds()
  rounds.send(() => done.push('at once'))
  expect(done).toEqual(['at once'])
  rounds.join(() => rounds.join(() => done.push('in the next')))
  await turn()
  expect(done).toEqual(['at once'])
  await turn()
  expect(done).toEqual(['at once', 'in the next'])
})
