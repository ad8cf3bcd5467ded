// A worker that is killed again and again gives the responses of a server that never stops.
import { expect, it } from 'vitest'
import { compareWithKills } from './differential.ts'

it('gives the same responses as the Node server, with kills between and during requests', async () => {
  const { differences, ...counted } = await compareWithKills({ requests: 400, kills: 8, seed: 7 })
  expect(differences).toEqual([])
  expect(counted).toMatchObject({ requests: 400, kills: 8, during: 4 })
})
