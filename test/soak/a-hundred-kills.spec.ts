// Ten thousand mixed requests to the Node server and to a worker that is killed a hundred times meanwhile.
import { expect, it } from 'vitest'
import { compareWithKills } from '../worker/differential.ts'

it('gives the same ten thousand responses as the Node server, with a hundred kills between and during requests', async () => {
  const { differences, ...counted } = await compareWithKills({ requests: 10_000, kills: 100, seed: 1 })
  console.log(counted)
  expect(differences).toEqual([])
  expect(counted).toMatchObject({ requests: 10_000, kills: 100, during: 50 })
})
